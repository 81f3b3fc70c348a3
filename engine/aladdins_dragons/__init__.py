"""Aladdin's Dragons, basic and magic: three to five players, caves, city and palace."""
