"""Tables: opening, inviting, joining, starting, closing, playing again; and the lists that show them."""
