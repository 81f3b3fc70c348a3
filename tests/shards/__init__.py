"""A rehearsal of the service on two databases, which share nothing but accounts: `python -m tests.shards`."""
