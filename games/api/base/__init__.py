"""What every operation of the REST API shares: authentication, paging, parsing, problems, schema, throttles."""
