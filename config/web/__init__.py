"""The web process: headers, uploads, static files, and the port that says whether it runs."""
