"""Language models in the four roles: input to prompt, and answer to a message of the protocol."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from agents import schemas
from agents.calls import MindRole
from agents.identity import IdentityPolicy, identity_words
from agents.images import image_part
from agents.llm import LanguageModel
from agents.model_inputs import (
    assistant_messages,
    catalog_for,
    judge_messages,
    moderator_messages,
    user_messages,
)
from agents.prompting import Prompt, load_prompt
from agents.structured import Unusable, ask_structured, checked, complaint, parse_json
from siturec.protocol.messages import (
    AssistantInput,
    AssistantMessage,
    JudgeInput,
    JudgeScores,
    ModeratorDecision,
    ModeratorInput,
    UserInput,
    UserMessage,
)
from siturec.protocol.ports import Answer
from siturec.protocol.vocabulary import DIMENSIONS, TOOLS, SceneKind

ModelSource = Callable[[], Awaitable[LanguageModel]]
_VERDICT = re.compile(r"^\W*(yes|no)\W*$", re.IGNORECASE)
_NO_VERDICT = "the answer was neither 'yes' nor 'no' alone"
_HELPER = re.compile(
    r"\b(how (can|may) i (help|assist) you|what can i (help|do) (you|for you)|"
    r"welcome to (our|the) (store|shop)|"
    r"as (your|a) (shopping )?assistant|i('d| would) recommend you|may i recommend|let me show you|"
    r"as an ai|i am an ai|i'm an ai|language model)\b",
    re.IGNORECASE,
)


def role_fault(reply: str) -> str | None:
    """Why a simulated user's words are the assistant's rather than a customer's, or None."""
    found = _HELPER.search(reply)
    return f"you are the customer, but '{found.group(0)}' is what an assistant says" if found else None


def _known_tool(tool: str, kind: SceneKind) -> None:
    if tool not in TOOLS[kind]:
        raise Unusable(f"tool_call: there is no '{tool}'; there are {schemas.tool_names(kind)}")


class ModelMind:
    """What the four share: a slug, and a model that is found when first needed."""

    def __init__(self, slug: str, source: ModelSource, *, seed: int) -> None:
        self.slug = slug
        self._source = source
        self._seed = seed
        self._model: LanguageModel | None = None

    async def model(self) -> LanguageModel:
        """The model behind this mind."""
        if self._model is None:
            self._model = await self._source()
        return self._model


class ModelAssistant(ModelMind):
    """A language model as the assistant under evaluation.

    Once it has been asked, ``own_words`` are those that would tell who it is, and ``identity_policy`` what
    its row says should become of them; whoever shows its words sees to that.
    """

    own_words: tuple[str, ...] = ()
    identity_policy: IdentityPolicy = "mask"

    async def respond(self, given: AssistantInput) -> Answer[AssistantMessage]:
        """Answer one turn."""
        model = await self.model()
        spec = model.spec
        chain = (spec, *spec.fallbacks)
        self.own_words = identity_words(*(name for one in chain for name in (one.model, one.label, one.slug)))
        self.identity_policy = spec.identity_policy
        prompt = load_prompt("assistant", f"navigation_{given.store.kind}")
        entries = catalog_for(given, model.spec.catalog_limit)
        messages = await assistant_messages(prompt, given, entries, longest=model.spec.image_px)
        schema = schemas.assistant_schema(
            given.store.kind,
            [entry.id for entry in entries],
            bounds=model.spec.bounded,
            markers=given.condition != "no_ego_view_no_caption",
        )

        def read(text: str) -> tuple[AssistantMessage, bool]:
            value, dug = parse_json(text)
            return checked(schemas.AssistantGiven, value).message(), dug

        return await ask_structured(
            model,
            messages,
            read,
            role="assistant",
            prompt=prompt,
            schema=schema,
            seed=self._seed + given.seed + given.turn,
        )


class ModelUser(ModelMind):
    """A language model as the simulated user."""

    async def respond(self, given: UserInput) -> Answer[UserMessage]:
        """Answer one turn."""
        model = await self.model()
        prompt = load_prompt("user")
        messages = await user_messages(prompt, given, longest=model.spec.image_px)

        def read(text: str) -> tuple[UserMessage, bool]:
            value, dug = parse_json(text)
            message = checked(schemas.UserGiven, value).message()
            _known_tool(message.tool_call.tool, given.kind)
            fault = role_fault(message.reply)
            if fault is not None:
                raise Unusable(fault)
            return message, dug

        return await ask_structured(
            model,
            messages,
            read,
            role="user",
            prompt=prompt,
            schema=schemas.user_schema(given.kind, bounds=model.spec.bounded),
            seed=self._seed + given.seed + given.turn,
        )


class ModelModerator(ModelMind):
    """A language model as the moderator: a strict yes or no.

    Whoever runs the turn asks once more when the answer is missing; asked again about the same input, the
    model is told what was wrong with its first answer.
    """

    _unread: tuple[ModeratorInput, str] | None = None

    async def decide(self, given: ModeratorInput) -> Answer[ModeratorDecision]:
        """Decide whether the interaction is over."""
        prompt = load_prompt("moderator")
        messages = moderator_messages(prompt, given)
        again = self._unread is not None and self._unread[0] == given
        if self._unread is not None and again:
            messages += complaint(self._unread[1], _NO_VERDICT)

        def read(text: str) -> tuple[ModeratorDecision, bool]:
            verdict = _VERDICT.match(text.strip())
            if verdict is None:
                raise Unusable(_NO_VERDICT)
            return ModeratorDecision(stop=verdict.group(1).lower() == "yes", raw=text), again

        answer = await ask_structured(
            await self.model(),
            messages,
            read,
            role="moderator",
            prompt=prompt,
            schema=None,
            seed=self._seed + given.seed,
            tries=1,
        )
        self._unread = (given, answer.raw) if answer.outcome == "missing" else None
        return answer


class ModelJudge(ModelMind):
    """A language model as the judge, from the text alone, or with what the user saw as well."""

    def __init__(self, slug: str, source: ModelSource, *, seed: int, frames: bool = False) -> None:
        super().__init__(slug, source, seed=seed)
        self._frames = frames

    async def score(self, given: JudgeInput) -> Answer[JudgeScores]:
        """Score one finished episode; a dimension that cannot be read is missing, the others stand."""
        model = await self.model()
        role: MindRole = "judge_frames" if self._frames else "judge"
        prompt: Prompt = load_prompt(role)
        messages, text = judge_messages(prompt, given)
        if self._frames and given.frames:
            parts = [await image_part(frame, longest=model.spec.image_px) for frame in given.frames]
            messages[-1]["content"] = [{"type": "text", "text": messages[-1]["content"]}, *parts]

        def read(reply: str) -> tuple[JudgeScores, bool]:
            value, dug = parse_json(reply)
            return read_scores(value, text), dug

        return await ask_structured(
            model,
            messages,
            read,
            role=role,
            prompt=prompt,
            schema=schemas.judge_schema(bounds=model.spec.bounded),
            seed=self._seed + given.seed,
        )


def read_scores(value: dict[str, Any], record: str) -> JudgeScores:
    """Seven scores from a judge's object. Raises: Unusable when no dimension can be read at all.

    Evidence that does not occur in the record is kept and marked, so that a made-up quotation is seen.
    """
    scores: dict[str, int | None] = dict.fromkeys(DIMENSIONS)
    evidence: dict[str, str] = {}
    faults: list[str] = []
    for name in DIMENSIONS:
        given = value.get(name)
        one = {"score": given} if isinstance(given, int) and not isinstance(given, bool) else given
        try:
            read = checked(schemas.ScoreGiven, one if isinstance(one, dict) else {})
        except Unusable as fault:
            faults.append(f"{name}: {fault}")
            continue
        scores[name] = read.score
        if read.evidence.strip():
            found = occurs(read.evidence, record)
            evidence[name] = read.evidence if found else f"(not found in the record) {read.evidence}"
    if len(faults) == len(DIMENSIONS):
        raise Unusable("; ".join(faults[:2]))
    return JudgeScores(scores=scores, evidence=evidence)


def occurs(quotation: str, record: str) -> bool:
    """Whether a quotation's words stand in the record; case, quotes, spacing and turn names aside."""
    bare = re.sub(r"^\s*T\d+\b[^:]{0,20}:?\s*", "", quotation)
    words = " ".join(re.findall(r"\w+", bare.lower()))
    return bool(words) and words in " ".join(re.findall(r"\w+", record.lower()))
