"""Forms of answers and orders: what a page shows, and how what was posted becomes an action."""
