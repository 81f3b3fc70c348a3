"""Pages of a running game: the table, the page behind a link, orders, time, talk, history."""
