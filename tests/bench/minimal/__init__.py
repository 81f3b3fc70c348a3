"""The smallest Django + DRF project that does what a move does: lock a row, write it, add a line and something owed."""
