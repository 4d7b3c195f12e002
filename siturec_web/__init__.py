"""The site: settings, URLs, ASGI, Celery. It knows every app; no app imports it."""
