"""From the bytes of an email to who wrote it, whether that is proved, and the one line that counts."""
