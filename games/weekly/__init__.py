"""The weekly summary: what a person's week was, for those who want it by email."""
