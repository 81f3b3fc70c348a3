"""Pages of signing in: its forms, second factor, fresh sign-ins, open sessions, and "It was not me"."""
