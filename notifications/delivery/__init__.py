"""Claimed deliveries: composed, sent, finished; and how the channels fare."""
