"""Settings of Django REST framework, and of drf-spectacular, which describes the API."""

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.access.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "games.api.schema.Described",
    "URL_FORMAT_OVERRIDE": None,  # the Accept header alone chooses; a `format` in the query is passed over
    "EXCEPTION_HANDLER": "games.api.problems.problem_details",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Caravanserai",
    "DESCRIPTION": "Everything that the pages do, a program can do: play, host, talk, look after a table, moderate. "
    "Errors are problem details (RFC 9457). Lists come in parts by cursor. Answers to GET have an ETag; every "
    "answer says how much may still be asked (RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset). docs/api.md has "
    "the whole story.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "WEBHOOKS": "games.api.webhooks.WEBHOOKS",
    "ENUM_NAME_OVERRIDES": {
        "BotStateEnum": "games.api.bots.STATES",
        "DeliveryStateEnum": "notifications.models.DeliveryState",
        "BotScopeEnum": "games.api.bots.SCOPES",
        "AudienceEnum": "games.people.models.User.Audience",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "games.api.webhooks.add_headers",
        "games.api.schema.add_examples",
        "games.api.schema.share_problems",
        "games.api.schema.add_servers",
    ],
}
