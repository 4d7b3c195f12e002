"""Reading YAML that comes from outside: a key given twice is a fault with its line, never a silent winner."""

from collections.abc import Hashable
from typing import Any

import yaml


class BadYAML(ValueError):
    """A text that cannot be taken as YAML; the message says why, and in which line."""


_MERGE = "tag:yaml.org,2002:merge"


class _Loader(yaml.SafeLoader):
    """Plain data only, and every mapping's keys once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            if key_node.tag == _MERGE:
                continue
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                continue  # refused below, in YAML's own words
            if key in seen:
                line = key_node.start_mark.line + 1
                raise BadYAML(f"line {line}, {key}: the key is given twice")
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


def read_yaml(text: str) -> Any:
    """Parse a YAML text (JSON is YAML, too) into plain data. Raises: BadYAML."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        raise BadYAML(str(error)) from error
    except RecursionError:
        raise BadYAML("nested too deeply") from None
