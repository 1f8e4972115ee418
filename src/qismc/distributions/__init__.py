"""The distribution of what registers hold at the end."""
