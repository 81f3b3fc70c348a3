"""What a seat is proposed as an answer, from its own view alone: the whole sheet with its plan, and each decision."""
