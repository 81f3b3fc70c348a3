"""Pictures in emails: the board and the games, drawn of the pieces of their SVG."""
