"""The web pages: parse, call one service or query, render."""
