"""Two requests: where the later one stops matching the earlier one, what kind of change that is, and what it costs."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from msgspec import structs

from radixlint.api.compare_options import CompareOptions
from radixlint.api.compared_parameters import differing_parameters
from radixlint.api.compared_part import Name, measured_tokens
from radixlint.api.explaining import piece_book, whole_loss
from radixlint.api.log_tokens import LogTokens, TokenCounter
from radixlint.api.measured_figures import tokenizer_evidence
from radixlint.api.measured_policy import policy_for
from radixlint.errors import LogError
from radixlint.explain import Attribution, BreakWriter, LaidOutTexts, Names, cases_of, rendered_anew
from radixlint.pieces import Loss, PieceBook, clusters, losses
from radixlint.plural import counted
from radixlint.privacy import Disclosure, crowd_of
from radixlint.replay import Replayed, replay
from radixlint.result.breaks import Break
from radixlint.result.cause import Cause, Confidence
from radixlint.result.measurement import Show
from radixlint.result.pair_comparison import ParameterChange, Reach, RequestComparison
from radixlint.traffic import CachePolicy, LogRead, Request

_KEY: Final = {Reach.ALL, Reach.MESSAGES}
_PARTNERS: Final = (-1, 0)
_HIDDEN = "Texts of two requests appear as their shapes; --show-text shows them."
_NEW = "text that is new; nothing behind it stands in both, so nothing is lost"
_IDS_ALONE = "a token; the prompts are known as ids alone, so nobody can say which text that is"

_NOWHERE: Final = Break(
    cause=Cause.UNKNOWN.value,
    where="",
    token_index=0,
    requests=1,
    computed_tokens=0,
    lost_tokens=0,
    values=2,
    shared="",
    before="",
    after="",
)


def chosen_requests(read: LogRead, ids: tuple[str, ...]) -> tuple[Request, Request]:
    """Return the two requests with these ids, in this order.

    Raises:
        LogError: one is not in the log, or there are several.
    """
    found = []
    for wanted in ids:
        some = [request for request in read.requests if request.id == wanted]
        if len(some) != 1:
            said = "no request has this id" if not some else f"{counted(len(some), 'request')} have this id"
            raise LogError(said, where=f"--request {wanted}", hint="--per-request of `radixlint analyze` lists the ids")
        found.append(some[0])
    return found[0], found[1]


def compare_requests(read: LogRead, requests: tuple[Request, Request], options: CompareOptions, name: Name) -> RequestComparison:
    """Compare two requests, the earlier first; ``read`` is what they were read from.

    Raises:
        LogError: the prompt of one is not in the log, or cannot be laid out.
        ConfigError, DataError, TokenizerError: an option is wrong.
    """
    policy = policy_for(options.policy, read, None)
    tokens = _tokens(requests, policy, options)
    replayed = replay(tokens.requests, policy)
    earlier, later = replayed.matches
    common = later.shareable_tokens
    place = _place(tokens, replayed, options, name)
    parameters = differing_parameters(*requests, policy)
    shown = _kept_apart(place, parameters, common)
    return RequestComparison(
        common_tokens=common,
        prompt_tokens=later.prompt_tokens,
        earlier_tokens=earlier.prompt_tokens,
        cause=None if shown is _NOWHERE else shown.cause,
        where=shown.where,
        what=_with_parameters(place, parameters, (earlier.prompt_tokens, later.prompt_tokens)),
        detail=shown.detail,
        confidence=(Confidence.HIGH if place is None else shown.confidence).value,
        lost_tokens=shown.lost_tokens,
        is_realigned=shown.realigned_requests > 0,
        shared=shown.shared,
        before=shown.before,
        after=shown.after,
        parameters=parameters,
        is_reversed=_is_reversed(*requests),
        layout=tokens.layout_name,
        tokenizer=tokens.tokenizer,
        tokenizer_evidence=tokenizer_evidence(tokens.evidence, tokens.measured, replayed.matches),
        notes=(*_notes(requests, options.show, has_texts=place is not None), *tokens.notes),
        records=read.records,
        read=read.records_read,
        alterations=read.alterations,
    )


def _tokens(requests: tuple[Request, Request], policy: CachePolicy, options: CompareOptions) -> LogTokens:
    alike = [structs.replace(request, index=i, namespace="") for i, request in enumerate(requests)]
    tokens = measured_tokens(alike, policy, options)
    if len(tokens.measured) < 2:
        raise _unknown_prompt(tokens)
    return tokens


def _unknown_prompt(tokens: LogTokens) -> LogError:
    which = "later" if 0 in tokens.positions else "earlier"
    return LogError(f"the prompt of the {which} request is not known", hint="it needs messages, text or token ids")


def _without_break(earlier_tokens: int, later_tokens: int) -> str:
    if earlier_tokens == later_tokens:
        return "the two prompts are the same"
    if earlier_tokens < later_tokens:
        return "the later prompt goes on where the earlier one ends"
    return "the later prompt is the start of the earlier one"


def _kept_apart(place: Break | None, parameters: Collection[ParameterChange], common: int) -> Break:
    """Return the break, or what a parameter loses where the text loses nothing."""
    shown = place or _NOWHERE
    reaches = {one.reach for one in parameters} & _KEY
    if shown.lost_tokens or not reaches:
        return shown
    lost_tokens = common if Reach.ALL in reaches else 0
    return replace(shown, cause=Cause.PARAMETER.value, confidence=Confidence.HIGH, lost_tokens=lost_tokens)


def _with_parameters(place: Break | None, parameters: Collection[ParameterChange], lengths_tokens: tuple[int, int]) -> str:
    said = _without_break(*lengths_tokens) if place is None else place.what
    if not parameters:
        return said
    names = ", ".join(one.name for one in parameters)
    return f"{said}; {names} {'differs' if len(parameters) == 1 else 'differ'}"


def _is_reversed(one: Request, other: Request) -> bool:
    return one.time_s is not None and other.time_s is not None and one.time_s > other.time_s


def _place(tokens: LogTokens, replayed: Replayed, options: CompareOptions, name: Name) -> Break | None:
    """Return where the two part, None where one goes on where the other ends or both are alike."""
    earlier, later = replayed.matches
    if later.shareable_tokens >= min(earlier.prompt_tokens, later.prompt_tokens):
        return None
    return _break(tokens, replayed, options, name) or _without_pieces(later.shareable_tokens)


def _break(tokens: LogTokens, replayed: Replayed, options: CompareOptions, name: Name) -> Break | None:
    """Return the break between two requests, None where pieces show none."""
    measured, crowd = tokens.measured, crowd_of(tokens.measured)
    book = piece_book(tokens, replayed)
    if not all(book.numbers(position) for position in (0, 1)):
        return None
    partners = array("q", _PARTNERS)
    uncached = array("q", (match.prompt_tokens - match.shareable_tokens for match in replayed.matches))
    lost = list(losses(book, partners, crowd.chains, uncached))
    found = lost or list(_first_difference(book))
    attribution = Attribution(book, measured, crowd.chains, clusters(book, partners))
    verdicts = attribution.verdicts(found) or rendered_anew(book, replayed, partners, crowd.chains)
    told = [whole_loss(one, book, uncached) for one in verdicts]
    if not told:
        return None
    texts = LaidOutTexts(measured, tokens.layout)
    disclosure = Disclosure(options.show, crowd, texts.text, TokenCounter(options.tokenizer, measured))
    names = Names(name, tokens.positions)
    place = BreakWriter(book, measured, replayed, attribution.places, disclosure, names).written(cases_of(told)[0])
    if found and not lost:
        return replace(place, cause=Cause.NEW_CONTENT.value, what=_NEW, detail="", confidence=Confidence.HIGH)
    return place


def _first_difference(book: PieceBook) -> Iterator[Loss]:
    """Yield the first place where the later request has something else, which need not lose anything."""
    theirs, mine = book.numbers(0), book.numbers(1)
    pairs = enumerate(zip(mine, theirs, strict=False))
    item = next((i for i, (one, other) in pairs if one != other), None)
    if item is None:
        return
    piece = 0
    if book.role(mine[item]) == book.role(theirs[item]):
        one, other = book.keys(mine[item]), book.keys(theirs[item])
        end = min(len(one), len(other))
        piece = min(next((i for i in range(end) if one[i] != other[i]), end), len(one) - 1)
    yield Loss(1, 0, item, piece, 0, False, 0)


def _without_pieces(common: int) -> Break:
    return replace(_NOWHERE, where=f"token {common}", what=_IDS_ALONE)


def _notes(requests: Collection[Request], show: Show, *, has_texts: bool) -> Iterator[str]:
    if len({request.model for request in requests}) > 1:
        yield "The two are for different models, which share nothing; they are compared as if they were for one."
    elif len({request.namespace for request in requests}) > 1:
        yield "The two are of different namespaces, which share nothing; they are compared as if they were of one."
    if has_texts and show is Show.SHARED:
        yield _HIDDEN
