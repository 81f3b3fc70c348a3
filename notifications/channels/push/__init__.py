"""The web push channel."""

KIND = "push"  # in `Delivery.channel`
