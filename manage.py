#!/usr/bin/env python
"""Django's command line for SituRec Web."""

import os
import sys


def main() -> None:
    """Run an administrative command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "siturec_web.settings.dev")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed here: run `make setup` first, then use .venv/bin/python."
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
