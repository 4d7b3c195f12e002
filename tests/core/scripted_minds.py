"""The scripted assistants and the agenda-based shopper as the tests call them."""

from agents.scripted.agenda import AgendaUser
from agents.scripted.assistant import scripted_assistant


def assistant(slug="expert", seed=1):
    return scripted_assistant(slug, seed=seed)


def agenda(seed=1):
    return AgendaUser(seed=seed)
