"""What people write at a table: to each other, and for themselves."""
