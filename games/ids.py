"""Random names for what is seen in addresses: nothing about order or number can be read from them."""

import secrets

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 characters that are hard to confuse, safe in mail addresses
LENGTH = 12  # 60 bits: unique, not a secret


def random_ref() -> str:
    """A new 12-character reference, such as "k3v9pq2mzt7a"."""
    return "".join([ALPHABET[byte % len(ALPHABET)] for byte in secrets.token_bytes(LENGTH)])  # 32 divides 256
