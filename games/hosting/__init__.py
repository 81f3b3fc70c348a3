"""What a host does for a table: changes it before it starts, keeps presets, hands the role over, sees who is slow."""
