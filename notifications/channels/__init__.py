"""The ways to reach people: one folder a channel."""
