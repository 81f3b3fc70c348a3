"""How each kind of space is tallied, what is paid there, and how the game ends."""
