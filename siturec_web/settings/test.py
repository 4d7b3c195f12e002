"""Tests: fast hashing, a folder and database of this worker's own, and the same for the servers it starts."""

import os
import tempfile
from pathlib import Path

from siturec_web.settings.base import *  # noqa: F403
from siturec_web.settings.base import DATABASES

# Servers started by a test are other processes; they inherit both names and so find the same file.
# Where tests are spread over workers, each has its part: pytest-django ends the test database's name so too.
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
if "SITUREC_TEST_DIR" not in os.environ:
    os.environ["SITUREC_TEST_DIR"] = tempfile.mkdtemp(prefix="siturec-test-")
TEST_DIR = Path(os.environ["SITUREC_TEST_DIR"]) / WORKER
TEST_DIR.mkdir(exist_ok=True)
SECRET_KEY = "tests only"  # noqa: S105
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "testserver"]
VAR_DIR = TEST_DIR
STATIC_ROOT = TEST_DIR / "static"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["NAME"] = TEST_DIR / (f"site.sqlite3_{WORKER}" if WORKER else "site.sqlite3")
    DATABASES["default"]["TEST"] = {"NAME": TEST_DIR / "site.sqlite3"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
