"""Aladdin's Dragons, the basic version: three to five players, caves, city and palace."""
