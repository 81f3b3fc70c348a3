"""Reviews of games that are over: made with the time that nothing else needs, read by pages, emails and API."""
