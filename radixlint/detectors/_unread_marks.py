"""Cache marks in a body for a model whose provider has no file here: of some it is known that nothing reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from radixlint.detectors import Hit
from radixlint.detectors._body_marks import plain
from radixlint.late_pattern import late_pattern
from radixlint.prompt import Confidence, Prompt, RequestFacts

# Bedrock caches Claude and Nova (providers/bedrock.yaml); an ARN or a profile's name may stand for either.
_OTHER_ON_BEDROCK: Final = late_pattern(r"(?:^|[/.])(?:meta\.llama|mistral\.|cohere\.|ai21\.|amazon\.titan|deepseek\.|writer\.)")
_OPEN_ON_BEDROCK: Final = late_pattern(r"(?:^|[/.])(?:openai\.gpt-oss|qwen\.|google\.gemma|nvidia\.|minimax\.|moonshot)")
# Open weights as they are named where they are published. Hosted names of Qwen, MiniMax and Kimi are others: those read marks.
_OPEN_WEIGHTS: Final = late_pattern(
    r"^(?:Qwen/|MiniMaxAI/|THUDM/|zai-org/|(?:[\w.-]+/)*"
    r"(?:(?i:meta-)?(?i:llama)[-_ ]?\d|(?i:mi[sx]tral|codestral|devstral|magistral|ministral|pixtral)[-_]"
    r"|(?i:gemma)[-_]?\d|(?i:phi)[-_]?\d|(?i:gpt-oss)-|(?i:granite|olmo|falcon|smollm\d?|nemotron)[-_]))"
)


def unread_mark(prompt: Prompt, facts: RequestFacts) -> Iterator[Hit]:
    """Yield a hit at the first mark of a body whose model is known to be served without marks."""
    told = _told(facts) if facts.marks and facts.model else None
    if told is None:
        return
    provider, confidence, reason = told
    first = facts.marks[0]
    others = f", nor {len(facts.marks) - 1:,} more like it" if len(facts.marks) > 1 else ""
    fields = {"provider": provider, "key": first.key, "others": others, "read": "it caches by itself, or not at all"}
    at = plain(prompt.segments[first.segment], confidence, reason)
    yield Hit(first.segment, at, first.span, 0, fields, is_value=False, has_break=False)


def _told(facts: RequestFacts) -> tuple[str, Confidence, str] | None:
    """Return who does not read the marks, how sure that is, and why it is not; None where nothing is known."""
    model = facts.model or ""
    if facts.shape == "bedrock-converse":
        if _OTHER_ON_BEDROCK.search(model):
            return "AWS Bedrock with this model", Confidence.HIGH, ""
        if _OPEN_ON_BEDROCK.search(model):
            return "AWS Bedrock with this model", Confidence.LOW, "it caches Claude and Nova, as far as is known here"
    elif _OPEN_WEIGHTS.search(model):
        return "what serves this model", Confidence.LOW, "engines for open weights read no marks; a gateway may"
    return None
