"""Changes to logged requests, each the effect of one fix, for replaying the log as if it had been there."""

from radixlint.rewrites.batch_windows import marks, window_size, windowed
from radixlint.rewrites.cache_marks import marked
from radixlint.rewrites.canonical_json import first_seen_json, sorted_keys
from radixlint.rewrites.canonical_tools import sorted_tools
from radixlint.rewrites.dated_values import replaced
from radixlint.rewrites.kept_blocks import kept, kept_in_newest
from radixlint.rewrites.message_edits import Span
from radixlint.rewrites.moved_values import Target, moved
from radixlint.rewrites.opened_turns import as_opened
from radixlint.rewrites.plain_form import plain_form
from radixlint.rewrites.rendered_turns import rendered_again, with_turns
from radixlint.rewrites.section_order import best_order, held_sections, ordered
from radixlint.rewrites.shared_heads import with_main_head
from radixlint.rewrites.steady_tools import steady_tools
from radixlint.rewrites.whole_turns import append_only

__all__ = [
    "Span",
    "Target",
    "append_only",
    "as_opened",
    "best_order",
    "first_seen_json",
    "held_sections",
    "kept",
    "kept_in_newest",
    "marked",
    "marks",
    "moved",
    "ordered",
    "plain_form",
    "rendered_again",
    "replaced",
    "sorted_keys",
    "sorted_tools",
    "steady_tools",
    "window_size",
    "windowed",
    "with_main_head",
    "with_turns",
]
