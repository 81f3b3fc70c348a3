"""Nothing is lost: the whole service under blows, and a count of what arrived: `python -m tests.soak --help`."""
