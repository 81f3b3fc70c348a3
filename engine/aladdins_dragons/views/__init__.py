"""What one seat may see of a state, and states that look like it to that seat."""
