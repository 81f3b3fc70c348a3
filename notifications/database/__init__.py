"""Database access below the ORM: compiled queries, writes of several rows, migration steps, the sealed field."""
