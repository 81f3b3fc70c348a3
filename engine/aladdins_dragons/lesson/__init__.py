"""The first round with a beginner: what each step says, what has become of his tokens, and a puzzle."""
