"""Tournaments: people enter, the service seats them round by round, starts their games and ranks them."""
