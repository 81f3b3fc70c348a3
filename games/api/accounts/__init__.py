"""The REST API of an account: tokens, mail, webhooks, bots, privacy."""
