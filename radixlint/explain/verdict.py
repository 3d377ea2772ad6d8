"""Why one request lost what stood behind its break."""

from __future__ import annotations

from msgspec import Struct

from radixlint.result.cause import Cause, Confidence

UNTOLD = "what changed here fits no known pattern"


class Verdict(Struct, frozen=True, gc=False):
    """The cause of a loss.

    Attributes:
        cause: its id.
        where: the place of the break, for people; it holds nothing of the log's own text.
        what: what changed, in a phrase for people that holds nothing of the texts.
        confidence: how sure it is.
        detail: a kebab word that tells kinds of one cause apart (``second``, ``window-shift``), or nothing.
        item: which tool or message of the request, in wire order.
        piece: which line of it.
        end_piece: behind which line the change ends where it has several, else 0.
        values: how many different texts were seen there, None if they were not counted.
    """

    cause: Cause
    where: str
    what: str
    confidence: Confidence
    detail: str = ""
    item: int = 0
    piece: int = 0
    end_piece: int = 0
    values: int | None = None
