"""Pages about finished games: the archive, records, statistics, the proof."""
