"""The spells, one class and one file each."""
