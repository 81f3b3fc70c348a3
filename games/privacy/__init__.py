"""Personal data: what is kept about a person, its export, erasure and retention."""
