"""Rows to arrays to tables, agreement, figures, exports and API. Reads only."""
