"""Which text of a log may be shown, and what stands in its place where it may not."""

from radixlint.privacy.conversations import ENOUGH, Crowd, chains_of, crowd_note, crowd_of
from radixlint.privacy.disclosure import Disclosure, Shown
from radixlint.privacy.joined_groups import JoinedGroups
from radixlint.privacy.said_lines import INSTRUCTIONS
from radixlint.privacy.secret_masks import mask_secrets, name_masks
from radixlint.privacy.shapes import is_plain_text, shape_of

__all__ = [
    "ENOUGH",
    "INSTRUCTIONS",
    "Crowd",
    "Disclosure",
    "JoinedGroups",
    "Shown",
    "chains_of",
    "crowd_note",
    "crowd_of",
    "is_plain_text",
    "mask_secrets",
    "name_masks",
    "shape_of",
]
