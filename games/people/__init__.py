"""People: accounts, signing in, bots' tokens and webhooks, friends and blocks. The bottom of games/: knows no game."""
