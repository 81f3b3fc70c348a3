"""The game in words: its sentences, the board as text, events, story and figures."""
