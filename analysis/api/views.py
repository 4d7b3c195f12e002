"""Read endpoints: studies, participants, episodes, turns, scores, results, agreement."""

from typing import Any

from django.db.models import Count, Q, QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.api.access import OfStudy, Pages, visible_studies
from analysis.api.serializers import (
    AgreementSerializer,
    ComputingSerializer,
    EpisodeSerializer,
    ParticipantSerializer,
    ResultsSerializer,
    ScoreSerializer,
    StudySerializer,
    TurnSerializer,
)
from analysis.exporting.rows import judges_named
from analysis.filters import FilterError, Filters
from analysis.selectors.ledgers import scored_episodes
from analysis.services.refreshing import AtHand, results_at_hand
from analysis.services.scoring import scores_complete
from sessions.models import Episode, Participant, Study, Turn

FILTERS = [
    OpenApiParameter("scene", str, description="only this scene"),
    OpenApiParameter("condition", str, description="only this condition"),
    OpenApiParameter("simulator", str, description="only this simulated user"),
    OpenApiParameter("since", OpenApiTypes.DATE, description="first day, UTC"),
    OpenApiParameter("until", OpenApiTypes.DATE, description="last day, UTC"),
    OpenApiParameter("excluded", bool, description="also people who were excluded"),
    OpenApiParameter(
        "versions", str, enum=["together"], description="count all versions of one name together"
    ),
]


EXACT = (
    "user_kind", "user_policy", "assistant", "scene", "condition", "task_id", "status", "end_reason",
    "participant__code",
)  # fmt: skip
EPISODE_FILTERS = {**{name: ["exact"] for name in EXACT}, "started_at": ["gte", "lte"]}


class StudyList(generics.ListAPIView[Study]):
    """The studies you have a role in."""

    serializer_class = StudySerializer
    filterset_fields = ["status"]
    pagination_class = Pages
    queryset = Study.objects.none()

    def get_queryset(self) -> QuerySet[Study]:
        """Only what this user may see."""
        return visible_studies(self.request).order_by("slug")


class StudyDetail(generics.RetrieveAPIView[Study]):
    """One study."""

    serializer_class = StudySerializer
    lookup_field = "slug"
    lookup_url_kwarg = "study"
    queryset = Study.objects.none()

    def get_queryset(self) -> QuerySet[Study]:
        """Only what this user may see."""
        return visible_studies(self.request)


class ParticipantList(OfStudy, generics.ListAPIView[Participant]):
    """A study's participants under coded ids."""

    pagination_class = Pages
    serializer_class = ParticipantSerializer
    filterset_fields = ["kind", "state"]
    queryset = Participant.objects.none()

    def get_queryset(self) -> QuerySet[Participant]:
        """This study's, in the order of joining."""
        ended = Count("episodes", filter=Q(episodes__status=Episode.Status.ENDED))
        return self.study.participants.annotate(episode_count=ended).order_by("pk")


class EpisodeList(OfStudy, generics.ListAPIView[Episode]):
    """A study's episodes, with people and with simulated users."""

    pagination_class = Pages
    serializer_class = EpisodeSerializer
    filterset_fields = EPISODE_FILTERS
    queryset = Episode.objects.none()

    def get_queryset(self) -> QuerySet[Episode]:
        """This study's, in the order of making."""
        return self.study.episodes.select_related("participant").order_by("pk")


class EpisodeDetail(OfStudy, generics.RetrieveAPIView[Episode]):
    """One episode."""

    serializer_class = EpisodeSerializer
    lookup_field = "public_id"
    lookup_url_kwarg = "episode"
    queryset = Episode.objects.none()

    def get_queryset(self) -> QuerySet[Episode]:
        """This study's."""
        return self.study.episodes.select_related("participant")


class TurnList(OfStudy, generics.ListAPIView[Turn]):
    """An episode's turns in order, as in the trajectory record."""

    pagination_class = Pages
    serializer_class = TurnSerializer
    filter_backends = []
    queryset = Turn.objects.none()

    def get_queryset(self) -> QuerySet[Turn]:
        """This episode's, if it is in this study."""
        episode = generics.get_object_or_404(self.study.episodes, public_id=self.kwargs["episode"])
        return episode.turns.order_by("index")


class ScoreList(OfStudy):
    """Every finished episode's metrics and ratings."""

    pagination_class = Pages
    serializer_class = ScoreSerializer
    filterset_fields = EPISODE_FILTERS
    queryset = Episode.objects.none()

    @extend_schema(responses=ScoreSerializer(many=True))
    def get(self, request: Request, study: str) -> Response:
        """A page of episodes' scores."""
        ended = self.study.episodes.filter(status=Episode.Status.ENDED)
        chosen = self.filter_queryset(ended.exclude(participant__kind__in=["bot", "test"]).order_by("pk"))
        shown = self.paginate_queryset(chosen) or []
        page = Episode.objects.filter(pk__in=[episode.pk for episode in shown]).order_by("pk")
        scores_complete(episodes=page)
        named = judges_named(page)
        judges = {row["public_id"]: named.get(row["pk"]) for row in page.values("pk", "public_id")}
        context = {"judges": judges}
        found = [ScoreSerializer(score, context=context).data for _, score in scored_episodes(page)]
        return self.get_paginated_response(found)


class Results(OfStudy):
    """The tables over assistants."""

    serializer_class = ResultsSerializer
    filter_backends = []
    queryset = Study.objects.none()

    @extend_schema(parameters=FILTERS, responses={200: ResultsSerializer, 202: ComputingSerializer})
    def get(self, request: Request, study: str) -> Response:
        """Computed when the data has changed since it was last asked for."""
        hand = _at_hand(self.study, request)
        return Response(ResultsSerializer(hand.results).data) if hand.results else _not_yet(hand)


class Agreement(OfStudy):
    """People against simulated users, and questionnaire against judge."""

    serializer_class = AgreementSerializer
    filter_backends = []
    queryset = Study.objects.none()

    @extend_schema(parameters=FILTERS, responses={200: AgreementSerializer, 202: ComputingSerializer})
    def get(self, request: Request, study: str) -> Response:
        """The report that ``manage.py agreement`` prints."""
        hand = _at_hand(self.study, request)
        if hand.results is None:
            return _not_yet(hand)
        found = hand.results["agreement"] | {"judges": hand.results["judges"]}
        return Response(AgreementSerializer(found).data)


@extend_schema(exclude=True)
class Nowhere(APIView):
    """Every other address below the API's."""

    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises: NotFound, whatever the method."""
        raise NotFound


def _at_hand(study: Study, request: Request) -> AtHand:
    """Newer results are waited for by asking again: a machine must not take older ones for the newest."""
    try:
        hand = results_at_hand(study=study, filters=Filters.of(request.query_params))
    except FilterError as error:
        raise ValidationError(str(error)) from None
    return hand if hand.newer is None else AtHand(None, hand.newer)


def _not_yet(hand: AtHand) -> Response:
    return Response(ComputingSerializer(hand.newer).data, status=202, headers={"Retry-After": "3"})
