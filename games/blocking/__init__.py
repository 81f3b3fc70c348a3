"""Blocking: who wants to have nothing to do with whom."""
