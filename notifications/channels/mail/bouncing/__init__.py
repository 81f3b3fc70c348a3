"""Emails that come back: what mail servers and providers report of them, and what follows for their addresses."""
