"""Sample letters of every kind, for those who work on them: a file for each room of kinds."""
