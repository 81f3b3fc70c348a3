"""Tries the service out with simulated people: `simulate` and `play_by_mail`. Nothing of the service imports it."""
