"""Say why tokens were computed again: the places where requests part, and the tree they form."""

from radixlint.explain.branch_points import BranchPoints, branch_points
from radixlint.explain.laid_out_texts import LaidOutTexts
from radixlint.explain.prefix_tree import prefix_tree
from radixlint.explain.shared_lengths import longest_shared_tokens, own_conversation_tokens

__all__ = ["BranchPoints", "LaidOutTexts", "branch_points", "longest_shared_tokens", "own_conversation_tokens", "prefix_tree"]
