"""Spells and artifacts: one class and one file each, where they may be aimed, and the windows they are declared in."""
