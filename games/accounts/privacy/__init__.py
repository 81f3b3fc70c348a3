"""Personal data: export, erasure and retention."""
