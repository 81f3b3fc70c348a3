"""What a position, an artifact, a treasure or a card is worth to a bot, from what it sees."""
