"""The listener answers programs that follow their games by these modules."""
