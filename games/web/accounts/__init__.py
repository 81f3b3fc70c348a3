"""Pages about a person: settings, sign-in, sessions, bots, privacy."""
