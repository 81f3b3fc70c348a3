"""Everything that changes something. Pages, API, links, ticks and commands call these and nothing else."""
