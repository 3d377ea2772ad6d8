"""A request in wire order: how its parts become the text that the model reads."""

from radixlint.layout._tools_first import OPEN_TURN, TOOLS_FIRST, Piece, lay_out

__all__ = ["OPEN_TURN", "TOOLS_FIRST", "Piece", "lay_out"]
