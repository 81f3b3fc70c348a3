"""Pages of what a host does: changing a table, handing his role over, presets."""
