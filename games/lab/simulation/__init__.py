"""Simulates whole games in virtual time: the production code, seeded people, injected faults.

`manage.py simulate` runs it. Nothing here is used by the service itself.
"""
