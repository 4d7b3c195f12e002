"""A machine of one's own: debug pages, any local host, a secret that stays in ``var/``."""

from django.core.management.utils import get_random_secret_key

from siturec_web.settings.base import *  # noqa: F403
from siturec_web.settings.base import SECRET_KEY, VAR_DIR, env

DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *env.list("ALLOWED_HOSTS", default=[])]
VAR_DIR.mkdir(parents=True, exist_ok=True)
if not SECRET_KEY:
    secret_file = VAR_DIR / "secret_key"
    if not secret_file.exists():
        secret_file.write_text(get_random_secret_key())
        secret_file.chmod(0o600)
    SECRET_KEY = secret_file.read_text()
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
