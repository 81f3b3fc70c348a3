"""The people of a simulated table: what they are like, how they think, plan and act."""
