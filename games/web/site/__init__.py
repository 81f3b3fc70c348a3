"""Pages of the site: front page, rules, health, errors."""
