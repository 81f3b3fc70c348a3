"""Settings of the listener: those of the service, without the addresses that it does not serve.

What only pages and the other addresses of the API need is not loaded, which saves a fifth of its memory.
"""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "config.streams.urls"
