"""Shoppers and shopping goals: the four construction steps, the budget rule, and the checks on them."""
