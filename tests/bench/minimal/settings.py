"""On the database of the service itself, with the service's own options for it; nothing else is installed."""

from config.settings import DATABASES

__all__ = ["DATABASES"]
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["rest_framework", "tests.bench.minimal"]
REST_FRAMEWORK = {"UNAUTHENTICATED_USER": None, "DEFAULT_AUTHENTICATION_CLASSES": [], "DEFAULT_PERMISSION_CLASSES": []}
ROOT_URLCONF = "tests.bench.minimal.urls"
SECRET_KEY = "minimal"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
