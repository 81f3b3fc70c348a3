"""The webhook channel."""

KIND = "webhook"  # in `Delivery.channel`
