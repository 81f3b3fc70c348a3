"""People with an account: who they are, how they are reached, and what is kept of them."""
