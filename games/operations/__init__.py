"""How the service fares: metrics for alarms and for those who run it."""
