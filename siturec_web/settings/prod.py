"""A public server: everything from the environment, HTTPS only, hashed static files."""

from siturec_web.settings.base import *  # noqa: F403
from siturec_web.settings.base import env

SECRET_KEY = env.str("SECRET_KEY")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS")
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=True)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=31_536_000)
SESSION_COOKIE_SECURE = True
CSRF_COOKIE_SECURE = True
