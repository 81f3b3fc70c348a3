"""The REST API of tables: opening, seats, the host's tools."""
