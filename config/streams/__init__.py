"""What the listener needs of the service to answer programs that follow their games."""
