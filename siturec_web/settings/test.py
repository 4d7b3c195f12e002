"""Tests: fast hashing, a database file of this process's own, and the same one for the servers it starts."""

import os
import tempfile
from pathlib import Path

from siturec_web.settings.base import *  # noqa: F403
from siturec_web.settings.base import DATABASES

# Servers started by a test are other processes; they inherit the name and so find the same file.
TEST_DIR = Path(os.environ.setdefault("SITUREC_TEST_DIR", tempfile.mkdtemp(prefix="siturec-test-")))
SECRET_KEY = "tests only"  # noqa: S105
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
VAR_DIR = TEST_DIR
STATIC_ROOT = TEST_DIR / "static"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["NAME"] = TEST_DIR / "site.sqlite3"
    DATABASES["default"]["TEST"] = {"NAME": TEST_DIR / "site.sqlite3"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
