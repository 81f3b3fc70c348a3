"""The first turns with a beginner: what each step says, what his move has brought, and a puzzle."""
