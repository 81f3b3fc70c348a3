"""What one seat may see of a state, and states that look the same to it."""
