"""Evidence: executions that show why a formula holds or fails, replayed and verified."""
