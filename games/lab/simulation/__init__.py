"""A game in virtual time: the production code, seeded people, injected faults; a test, a benchmark and a proof.

`manage.py simulate` runs it. Nothing here is used by the service itself.
"""
