"""The email channel."""

KIND = "mail"  # in `Delivery.channel`
