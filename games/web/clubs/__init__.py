"""Pages of friends and clubs."""
