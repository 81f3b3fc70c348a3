"""Orders in words: their sentences, the lines and rows of a form, and what became of them."""
