"""Accounts: identity, sign-in, preferences, bots, webhooks, and personal data."""
