"""The database: limits on waiting for it, its clock, and copies of it."""
