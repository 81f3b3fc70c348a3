"""The REST API of a running game: reading, answering, orders, talk, time, event stream."""
