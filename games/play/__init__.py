"""Playing: moves, decisions, the log, orders, proposals, time and talk. An answer changes a game here."""
