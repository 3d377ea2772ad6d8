"""Say why tokens were computed again: where requests break, by what cause, and the tree they form."""

from radixlint.explain.attribution import Attribution
from radixlint.explain.branch_points import BranchPoints, branch_at, branch_points
from radixlint.explain.break_report import BreakWriter, Case, Names, cases_of
from radixlint.explain.exoneration import exonerate
from radixlint.explain.laid_out_texts import LaidOutTexts
from radixlint.explain.one_time import is_like, is_one_time, one_time_changes
from radixlint.explain.prefix_tree import prefix_tree
from radixlint.explain.rendered_history import rendered_anew
from radixlint.explain.second_edits import note_on_hidden
from radixlint.explain.shared_lengths import longest_shared_tokens, own_conversation_tokens

__all__ = [
    "Attribution",
    "BranchPoints",
    "BreakWriter",
    "Case",
    "LaidOutTexts",
    "Names",
    "branch_at",
    "branch_points",
    "cases_of",
    "exonerate",
    "is_like",
    "is_one_time",
    "longest_shared_tokens",
    "note_on_hidden",
    "one_time_changes",
    "own_conversation_tokens",
    "prefix_tree",
    "rendered_anew",
]
