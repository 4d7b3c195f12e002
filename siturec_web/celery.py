"""The Celery application; workers are started with ``celery -A siturec_web worker``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")
app = Celery("siturec_web")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
