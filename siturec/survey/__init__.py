"""Questionnaire instruments: items, scales, guidance."""
