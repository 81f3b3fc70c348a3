"""Table talk and private notes."""
