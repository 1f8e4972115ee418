"""What runs for a minute in the gate and for hours in a soak."""
