"""What simulated games are measured by, and how it is told."""
