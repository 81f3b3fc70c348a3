"""Signing in: links and codes, sessions, known browsers, passwords, the second factor of staff."""
