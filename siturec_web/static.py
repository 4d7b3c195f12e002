"""Hashed static files whose ES-module imports are rewritten too."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Rewrites ``import ... from "./x.js";`` as well; the semicolon at the line's end is required."""

    support_js_module_import_aggregation = True
