"""What moderators, and for their own tables hosts, may do. Every act is written down; none can be undone unseen."""
