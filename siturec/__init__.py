"""The study in plain Python: protocol, scenes, markers, tasks, metrics and agreement.

Nothing here knows Django, a network, a clock or global randomness: seeds and times are arguments.
"""
