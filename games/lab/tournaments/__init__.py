"""Simulates whole tournaments in virtual time, with people of whom some leave."""
