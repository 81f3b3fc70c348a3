"""Idempotency keys: a request that is sent again makes nothing twice."""
