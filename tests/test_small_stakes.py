"""A value ahead of little fixed text, or only of what differs itself, is worth a remark, not a failed build."""

from __future__ import annotations

import pytest
from test_value_rules import FIXED, found

LITTLE = "Given the context information and not prior knowledge, answer it in one short and friendly sentence.\n{{ question }}\n"


def test_little_text_behind_is_a_remark() -> None:
    """Retrieved text ahead of one sentence is a remark, ahead of many it is an error; a clock stays an error."""
    assert found("Context:\n{{ context }}\n" + LITTLE) == ["2 RL901 info"]
    assert found("Context:\n{{ context }}\n" + FIXED + "{{ question }}\n") == ["2 RL901 error"]
    assert found("It is {{ now() }}.\n" + LITTLE) == ["1 RL201 error"]


@pytest.mark.parametrize(
    ("value", "behind", "expected"),
    [
        ("now()", "user.profile", "RL201 info"),
        ("request_id", "user.profile", "RL202 info"),
        ("user_name", "tenant_handbook", "RL101 info"),
        ("now()", "system_prompt", "RL201 error"),
        ("now()", "chat_history", "RL201 error"),
    ],
)
def test_only_what_differs_behind_is_a_remark(value: str, behind: str, expected: str) -> None:
    """A long text of a user or tenant behind a value differs itself; that of the release and the talk would be reused."""
    text = f"{FIXED}Head {{{{ {value} }}}}\n{{{{ {behind} }}}}\nQuestion: {{{{ question }}}}\n"
    assert [line.split(" ", 1)[1] for line in found(text)] == [expected]
