"""What people are told, one file per kind of letter."""
