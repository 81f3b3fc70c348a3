"""Actions of moderators, and of hosts at their own tables. Every action is logged; log entries are final."""
