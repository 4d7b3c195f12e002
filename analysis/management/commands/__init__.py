"""score, agreement, report, export, verify."""
