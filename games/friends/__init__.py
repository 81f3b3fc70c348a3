"""Friends: asking somebody, and what friends may see and do."""
