"""Pages about mail and webhooks: settings, what was sent, unsubscribing, the calendar."""
