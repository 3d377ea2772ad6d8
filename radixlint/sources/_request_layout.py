"""Lay out a request body in the wire order of its API."""

from __future__ import annotations

from radixlint.prompt import Role
from radixlint.sources._conversation import Conversation, role_of
from radixlint.sources._request_shape import SYSTEM_KEYS, Body, Shape
from radixlint.sources._tree import Leaf, Listing, Table, Tree

_DECLARATIONS = ("functionDeclarations", "function_declarations")
_RESULTS = frozenset(("function_call_output", "custom_tool_call_output", "computer_call_output", "local_shell_call_output"))


def lay_out(body: Body, talk: Conversation) -> None:
    """Add tools, system and messages of ``body`` to ``talk``."""
    if body.shape is Shape.RESPONSES:
        talk.tools(body.tree.get("tools"))
        talk.system(body.tree.get("instructions"), Role.DEVELOPER)
        _items(body.tree.get("input"), talk)
    elif body.shape is Shape.GEMINI:
        _gemini(body.tree, talk)
    elif body.shape is Shape.CONVERSE:
        config = body.tree.get("toolConfig")
        talk.tools(config.get("tools") if isinstance(config, Table) else None)
        talk.system(body.tree.get("system"))
        talk.messages(body.tree.get("messages"))
    else:
        talk.read(body.tree)


def _items(tree: Tree | None, talk: Conversation) -> None:
    """Add the items of a Responses body: messages, calls and what they gave, reasoning."""
    if isinstance(tree, Leaf):
        talk.message += 1
        talk.content(tree, Role.USER)
    for item in tree.items if isinstance(tree, Listing) else ():
        talk.message += 1
        if not isinstance(item, Table):
            talk.content(item, Role.USER)
        elif item.get("content") is not None and item.text("type") in (None, "message"):
            talk.messages(Listing((item,), item.start, item.end))
            talk.message -= 1
        elif item.text("type") in _RESULTS and (output := item.get("output")) is not None:
            talk.content(output, Role.TOOL)
        elif item.text("type") != "item_reference":
            talk.block(item, Role.ASSISTANT)


def _gemini(tree: Table, talk: Conversation) -> None:
    system = next((found for key in SYSTEM_KEYS if (found := _field(tree, key)) is not None), None)
    if system is not None:
        _parts(system, Role.SYSTEM, talk)
    tools = _field(tree, "tools")
    for group in tools.items if isinstance(tools, Listing) else ():
        declared = next((found for key in _DECLARATIONS if isinstance(group, Table) and (found := group.get(key))), None)
        talk.tools(declared if declared is not None else Listing((group,), group.start, group.end))
    contents = tree.get("contents")
    for content in contents.items if isinstance(contents, Listing) else () if contents is None else (contents,):
        role = role_of(content.get("role")) if isinstance(content, Table) else Role.USER
        _parts(content, Role.USER if role is Role.TEXT else role, talk)


def _parts(content: Tree, role: Role, talk: Conversation) -> None:
    talk.message += 1
    parts = content.get("parts") if isinstance(content, Table) else content
    if parts is not None:
        talk.content(parts, role)


def _field(tree: Table, key: str) -> Tree | None:
    """Return what stands under ``key``; the SDK's form keeps it one level down."""
    found, config = tree.get(key), tree.get("config")
    return config.get(key) if found is None and isinstance(config, Table) else found
