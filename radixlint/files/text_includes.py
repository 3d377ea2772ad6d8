"""Files that stand in memory, for prompts that are read from elsewhere than the disk."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass

from radixlint.errors import SourceError
from radixlint.prompt import SourceText


@dataclass(frozen=True, slots=True)
class TextIncludes:
    """Opens the texts of ``files``, by path; a name is looked up beside the file that names it, then from the top."""

    files: Mapping[str, str]

    def open(self, name: str, from_path: str) -> SourceText | None:
        """Return the file ``name`` as named in ``from_path``, None if there is none.

        Raises:
            SourceError: the name leads out of the top folder.
        """
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(from_path), name))
        if beside.startswith(("../", "/")):
            raise SourceError(f"include of {name!r} refused: it leaves the folders checked")
        for path in (beside, posixpath.normpath(name)):
            if path in self.files:
                return SourceText(path, self.files[path])
        return None
