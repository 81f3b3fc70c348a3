"""The server of account streams: a process of its own, which holds the connections of all programs that listen."""
