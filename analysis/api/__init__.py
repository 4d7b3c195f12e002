"""The read-only API for machines."""
