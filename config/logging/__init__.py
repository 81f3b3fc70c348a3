"""Logs and error reports: how records are written, and what is kept out of them."""
