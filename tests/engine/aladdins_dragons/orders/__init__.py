"""Orders of Aladdin's Dragons."""
