"""Django application."""

from django.apps import AppConfig


class SimulatorBridgeConfig(AppConfig):
    """The way to a world: an asyncio UnrealCV client, capture, and the pool."""

    name = "simulator_bridge"
    verbose_name = "Simulator bridge"
