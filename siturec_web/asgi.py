"""HTTP and websocket entry for Daphne."""

import gc
import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")
http = get_asgi_application()

from play.routing import websocket_urlpatterns  # noqa: E402  (needs the app registry)
from siturec_web.pacing import paced  # noqa: E402
from siturec_web.private_links import keep_access_log_private  # noqa: E402

keep_access_log_private()

application = ProtocolTypeRouter(
    {
        "http": paced(http),
        "websocket": AllowedHostsOriginValidator(AuthMiddlewareStack(URLRouter(websocket_urlpatterns))),
    }
)

gc.collect()
gc.freeze()  # code stays: going through it again and again only makes people wait
