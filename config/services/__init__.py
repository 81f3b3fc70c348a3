"""Other services that this one uses: the broker and the mail server."""
