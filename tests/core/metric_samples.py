"""Two scenes' facts, and what small records score with them."""

from siturec.metrics.episode import score_episode
from siturec.metrics.facts import SceneFacts
from siturec.metrics.ledger import Ledger
from siturec.metrics.scoring import score_episodes
from siturec.trajectory import check_record

MARKET = SceneFacts("supermarket", "supermarket", catalog=frozenset({"sm-0001", "sm-0002"}))

HOME = SceneFacts(
    "home_furnishings",
    "home",
    catalog=frozenset({"hf-1"}),
    places={"hf-1": frozenset({"area:sofas", "store:nest"})},
)

COOLER, SHELF = "fixture:cooler-2", "fixture:shelf-1"


def scored(record, facts=MARKET):
    return score_episode(check_record(record), facts)


def value(record, metric, facts=MARKET):
    return scored(record, facts).value(metric)


def cohort(*records, facts=MARKET):
    return Ledger.of(score_episodes([check_record(r) for r in records], lambda slug: facts)).total()
