"""Emails from people: those that answer ours. Who wrote one is known here; what it says is the product's affair."""
