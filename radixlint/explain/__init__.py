"""Say why tokens were computed again: the places where requests part, and the tree they form."""

from radixlint.explain.branch_points import BranchPoints, branch_points
from radixlint.explain.conversation_reuse import own_conversation_tokens
from radixlint.explain.laid_out_texts import LaidOutTexts
from radixlint.explain.prefix_groups import longest_shared_tokens
from radixlint.explain.prefix_tree import prefix_tree

__all__ = ["BranchPoints", "LaidOutTexts", "branch_points", "longest_shared_tokens", "own_conversation_tokens", "prefix_tree"]
