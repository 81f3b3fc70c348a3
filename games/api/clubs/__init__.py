"""Friends and clubs."""
