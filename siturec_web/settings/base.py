"""All settings; secrets and machine values come from the environment, defaults run embedded."""

import os
from pathlib import Path
from typing import Any

import environ
from csp.constants import NONE, SELF

# litellm otherwise downloads a price list while it is being imported.
os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
os.environ.setdefault("LITELLM_OFFLINE_MODE", "True")

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(env.str("SITUREC_VAR", default=str(BASE_DIR / "var")))
SCENES_DIR = Path(env.str("SITUREC_SCENES", default=str(BASE_DIR / "scenes")))

SECRET_KEY = env.str("SECRET_KEY", default="")
DEBUG = False
ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", default=[])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "unfold.contrib.import_export",
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "rest_framework",
    "drf_spectacular",
    "django_filters",
    "csp",
    "catalog",
    "sessions.apps.SessionsConfig",
    "agents",
    "simulator_bridge",
    "questionnaire",
    "play",
    "analysis",
    # After our apps: of two commands of one name (`export`) the earlier app's is the one that runs.
    "import_export",
    "siturec_web",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "siturec_web.addresses.ReadableAddress",
]

ROOT_URLCONF = "siturec_web.urls"
ASGI_APPLICATION = "siturec_web.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES: dict[str, Any] = {
    "default": env.db_url("DATABASE_URL", default=f"sqlite:///{VAR_DIR / 'siturec.sqlite3'}")
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue instead of failing, and readers do not block them.
    # Kept open: a turn has a dozen writes, and whoever closes the last connection writes the whole log back.
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default="")
CHANNEL_LAYERS: dict[str, Any] = {
    "default": (
        {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
        if REDIS_URL
        else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    )
}
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default=REDIS_URL)
CELERY_TASK_ACKS_LATE = True

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "/research/login/"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 14

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "siturec_web.static.ModuleManifestStorage"},
}

CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ["/admin/"],
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "connect-src": [SELF],
        "style-src": [SELF],
        "script-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "frame-ancestors": [SELF],
    },
}
REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.SessionAuthentication",
        "rest_framework.authentication.TokenAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
INSTALLED_APPS.insert(INSTALLED_APPS.index("rest_framework") + 1, "rest_framework.authtoken")
SPECTACULAR_SETTINGS = {
    "TITLE": "SituRec Web",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "COMPONENT_SPLIT_REQUEST": True,
    "ENFORCE_NON_BLANK_FIELDS": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "analysis.api.faults.describe_faults",
    ],
}

# The admin wears the same teal as the rest of the site.
UNFOLD = {
    "SITE_TITLE": "SituRec Web",
    "SITE_HEADER": "SituRec Web",
    "SITE_SYMBOL": "shopping_cart",
    "SITE_URL": "/research/",
    "SHOW_LANGUAGES": False,
    "COLORS": {
        "primary": {
            "50": "#eef8f7",
            "100": "#d5eeeb",
            "200": "#aeddd8",
            "300": "#7dc6bf",
            "400": "#4faaa2",
            "500": "#2c8c84",
            "600": "#0c5f5a",
            "700": "#0a524e",
            "800": "#094541",
            "900": "#083835",
            "950": "#042421",
        }
    },
}

# A model named here becomes an assistant ("model"), a user ("model"), and so on, beside the scripted ones.
SITUREC_MODEL = env.str("SITUREC_MODEL", default="")
SITUREC_MODEL_API_BASE = env.str("SITUREC_MODEL_API_BASE", default="")
SITUREC_MODEL_KEY_VARIABLE = env.str("SITUREC_MODEL_KEY_VARIABLE", default="OPENAI_API_KEY")
# More about that model, as one JSON object: see docs/guides/models.md.
SITUREC_MODEL_OPTIONS = env.str("SITUREC_MODEL_OPTIONS", default="")

# Where the store is: empty starts the embedded one; else host:port of any UnrealCV server.
SITUREC_WORLD = env.str("SITUREC_WORLD", default="")
# A person waits at most about this long for a walk; longer ones are walked faster.
LONGEST_WALK_S = env.float("SITUREC_LONGEST_WALK_S", default=2.5)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "siturec_web.private_links.PrivateFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    # Django's own handlers would write addresses as they are; here everything goes through the root's.
    "loggers": {
        "httpx": {"level": "WARNING"},
        "django": {"handlers": [], "level": "INFO"},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
    },
    "root": {"handlers": ["console"], "level": env.str("LOG_LEVEL", default="INFO")},
}
