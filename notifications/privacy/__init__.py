"""What is kept of people: what others may not know of yet, and what somebody may have copied or erased."""
