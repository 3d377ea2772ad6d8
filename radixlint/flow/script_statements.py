"""Statements of TypeScript and JavaScript as nodes of a program; types are left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from radixlint.flow.program import (
    Argument,
    Assign,
    Augment,
    Bound,
    Call,
    Constant,
    Declare,
    Define,
    Either,
    Entry,
    Evaluate,
    For,
    If,
    Mapping,
    Member,
    Name,
    Node,
    Other,
    Return,
    Stop,
    Try,
    While,
)
from radixlint.flow.script_cases import cases
from radixlint.flow.script_modules import exported, exported_names, exports_of, imported
from radixlint.flow.script_tree import IncompleteTree, first, has_word, inner, parts

if TYPE_CHECKING:
    from tree_sitter import Node as Tree

    from radixlint.flow.script_expressions import Expressions

Lowered = Iterable[Node]
_HOISTED: Final = ("function_declaration", "generator_function_declaration")
_BINDING: Final = frozenset(
    ("variable_declarator", "function_declaration", "class_declaration", "abstract_class_declaration", "enum_declaration")
)


class Statements:
    """Lowers statements; ``around`` lowers the expressions in them."""

    __slots__ = ("_by_type", "_cases", "around")

    def __init__(self, around: Expressions) -> None:
        self.around = around
        self._cases = 0
        around.functions.body = self.function_body
        self._by_type = self._table()

    def body(self, trees: Iterable[Tree]) -> tuple[Node, ...]:
        """Return the statements in order, those of plain blocks among them; what is not complete is left out."""
        found: list[Node] = []
        for tree in trees:
            lower = self._by_type.get(tree.type)
            if lower is not None:
                try:
                    found.extend(lower(tree, *self.around.range(tree)))
                except IncompleteTree:
                    continue
                finally:
                    # A pattern inside of an expression has no statement to put its defaults behind.
                    self.around.targets.defaults()
        return tuple(found)

    def block(self, tree: Tree) -> tuple[Node, ...]:
        """Return the statements of a block, its functions first, or the one that stands in its place."""
        if tree.type != "statement_block":
            return self.body((tree,))
        trees = tree.named_children
        functions = [child for child in trees if child.type in _HOISTED]
        return self.body([*functions, *(child for child in trees if child.type not in _HOISTED)] if functions else trees)

    def function_body(self, tree: Tree) -> tuple[Node, ...]:
        """Return the body of a function, in which no ``break`` belongs to a ``switch`` around it."""
        outside, self._cases = self._cases, 0
        try:
            return self.block(tree)
        finally:
            self._cases = outside

    def case_body(self, trees: Iterable[Tree]) -> tuple[Node, ...]:
        """Return the statements of one case of a ``switch``, whose ``break`` ends no loop."""
        self._cases += 1
        try:
            return self.body(trees)
        finally:
            self._cases -= 1

    def _loop_body(self, tree: Tree) -> tuple[Node, ...]:
        return self.function_body(tree)

    def _nested(self, tree: Tree, start: int, end: int) -> Lowered:
        return self.block(tree)

    def _expression(self, tree: Tree, start: int, end: int) -> Lowered:
        code = first(tree)
        if code.type == "internal_module":
            return self._namespace(code, start, end)
        if code.type == "yield_expression":
            return self._yielded(code, start, end)
        value = self.around.lower(code)
        if not isinstance(value, Bound):
            return (Evaluate(start, end, value),)
        exports = exports_of(value.target, value.value)
        if exports:
            return exports
        # What is added to the text or list so far is told apart from what is put in its place.
        if code.type == "augmented_assignment_expression":
            operator = inner(code, "operator").type.removesuffix("=")
            if not isinstance(value.value, Either):
                return (Augment(start, end, value.target, operator, self.around.lower(inner(code, "right"))),)
        return (Assign(start, end, (value.target,), value.value), *self.around.targets.defaults())

    def _yielded(self, tree: Tree, start: int, end: int) -> Lowered:
        found = parts(tree)
        value = self.around.lower(found[0]) if found else None
        if value is None or not has_word(tree, "*"):
            return (Return(start, end, value, is_yield=True),)
        item = Name(start, end, "<item>")
        return (For(start, end, item, value, (Return(start, end, item, is_yield=True),)),)

    def _declared(self, tree: Tree, start: int, end: int) -> Iterator[Node]:
        for child in parts(tree):
            if child.type == "variable_declarator":
                yield from self._variable(child, *self.around.range(child))

    def _variable(self, tree: Tree, start: int, end: int) -> Lowered:
        name, value = inner(tree, "name"), tree.child_by_field_name("value")
        annotation = self.around.annotation(tree)
        if value is None:
            target = self.around.targets.lower(name, declares=True)
            return (Declare(start, end, target.name, annotation),) if isinstance(target, Name) else ()
        if name.type == "identifier" and (value.type == "class" or self.around.functions.is_function(value)):
            target = self.around.targets.name(*self.around.range(name), declares=True)
            if value.type == "class":
                return (self.around.functions.class_(value, start, end, target.name),)
            return (Define(start, end, self.around.functions.named(value, target.name)),)
        made = self.around.lower(value)
        target = self.around.targets.lower(name, declares=True)
        return (Assign(start, end, (target,), made, annotation), *self.around.targets.defaults())

    def _function(self, tree: Tree, start: int, end: int) -> Lowered:
        name = tree.child_by_field_name("name")
        if name is not None:
            self.around.targets.name(*self.around.range(name), declares=True)
        return (Define(start, end, self.around.functions.function(tree, start, end, "" if name else "default")),)

    def _class(self, tree: Tree, start: int, end: int) -> Lowered:
        name = tree.child_by_field_name("name")
        if name is not None:
            self.around.targets.name(*self.around.range(name), declares=True)
        return (self.around.functions.class_(tree, start, end, "" if name else "default"),)

    def _enum(self, tree: Tree, start: int, end: int) -> Lowered:
        around, entries = self.around, []
        for name, value in around.functions.enum(tree):
            entries.append(Entry(*around.range(name), around.key(name), value))
        target = around.targets.name(*around.range(inner(tree, "name")), declares=True)
        return (Assign(start, end, (target,), Mapping(start, end, tuple(entries))),)

    def _namespace(self, tree: Tree, start: int, end: int) -> Lowered:
        """Return the statements of a ``namespace``, and what it exports as one object under its name."""
        code, name = inner(tree, "body"), inner(tree, "name")
        body = self.block(code)
        if name.type != "identifier":
            return body
        words = [word for child in code.named_children if child.type == "export_statement" for word in self._names_in(child)]
        entries = tuple(Entry(*place, self.around.displays.word(*place), Name(*place, word)) for word, place in words)
        target = self.around.targets.name(*self.around.range(name), declares=True)
        return (*body, Assign(start, end, (target,), Mapping(start, end, entries)))

    def _names_in(self, exported: Tree) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the names that an exported declaration binds, each with its place."""
        declaration = inner(exported, "declaration")
        for child in (declaration, *parts(declaration)):
            name = child.child_by_field_name("name")
            if name is not None and name.type in ("identifier", "type_identifier") and child.type in _BINDING:
                place = self.around.range(name)
                yield self.around.text[slice(*place)], place

    def _imported(self, tree: Tree, start: int, end: int) -> Lowered:
        return imported(tree, self.around, start, end)

    def _exported(self, tree: Tree, start: int, end: int) -> Lowered:
        declaration = tree.child_by_field_name("declaration") or tree.child_by_field_name("value")
        if declaration is not None and declaration.type in self._by_type:
            return exported(tree, self.body((declaration,)), start, end)
        return exported_names(tree, self.around, start, end)

    def _returned(self, tree: Tree, start: int, end: int) -> Lowered:
        found = parts(tree)
        return (Return(start, end, self.around.lower(found[0]) if found else None),)

    def _thrown(self, tree: Tree, start: int, end: int) -> Lowered:
        return (Stop(start, end, "throw", self.around.lower(first(tree))),)

    def _left(self, tree: Tree, start: int, end: int) -> Lowered:
        word = tree.type.removesuffix("_statement")
        # A break of a switch ends no loop; what follows it in the case is walked, too.
        return () if word == "break" and self._cases else (Stop(start, end, word),)

    def _condition(self, tree: Tree, start: int, end: int) -> Lowered:
        # A long chain of else if is deeper than a recursion may go.
        chain: list[Tree] = [tree]
        rest: tuple[Node, ...] = ()
        while (other := chain[-1].child_by_field_name("alternative")) is not None:
            inside = first(other)
            if inside.type != "if_statement":
                rest = self.block(inside)
                break
            chain.append(inside)
        for link in reversed(chain):
            test, yes = self.around.lower(inner(link, "condition")), self.block(inner(link, "consequence"))
            rest = (If(*self.around.range(link), test, yes, rest),)
        return rest

    def _cases_of(self, tree: Tree, start: int, end: int) -> Lowered:
        return cases(tree, self.around, self.case_body)

    def _each(self, tree: Tree, start: int, end: int) -> Lowered:
        iterable = self.around.lower(inner(tree, "right"))
        target = self.around.targets.lower(inner(tree, "left"), declares=tree.child_by_field_name("kind") is not None)
        if inner(tree, "operator").type == "in":
            first_, last = iterable.start, iterable.end
            keys = Member(first_, last, Name(first_, last, "Object"), "keys")
            iterable = Call(first_, last, keys, (Argument(first_, last, None, iterable),))
        defaults = self.around.targets.defaults()
        return (For(start, end, target, iterable, (*defaults, *self._loop_body(inner(tree, "body")))),)

    def _counted(self, tree: Tree, start: int, end: int) -> Lowered:
        opening = self.body((inner(tree, "initializer"),))
        condition = tree.child_by_field_name("condition")
        increment = tree.child_by_field_name("increment")
        test: Node = Constant(start, end, True)
        if condition is not None and condition.type != "empty_statement":
            test = self.around.lower(first(condition) if condition.type == "expression_statement" else condition)
        step = () if increment is None else (Evaluate(*self.around.range(increment), self.around.lower(increment)),)
        return (*opening, While(start, end, test, (*self._loop_body(inner(tree, "body")), *step)))

    def _repeated(self, tree: Tree, start: int, end: int) -> Lowered:
        return (While(start, end, self.around.lower(inner(tree, "condition")), self._loop_body(inner(tree, "body"))),)

    def _labelled(self, tree: Tree, start: int, end: int) -> Lowered:
        return self.body((inner(tree, "body"),))

    def _tried(self, tree: Tree, start: int, end: int) -> Lowered:
        handler, finalizer = tree.child_by_field_name("handler"), tree.child_by_field_name("finalizer")
        handlers = () if handler is None else (self._handler(handler),)
        last = () if finalizer is None else self.block(inner(finalizer, "body"))
        return (Try(start, end, self.block(inner(tree, "body")), handlers, last),)

    def _handler(self, tree: Tree) -> tuple[Node, ...]:
        name = tree.child_by_field_name("parameter")
        body = self.block(inner(tree, "body"))
        if name is None:
            return body
        start, end = self.around.range(name)
        target = self.around.targets.lower(name, declares=True)
        return (Assign(start, end, (target,), Other(start, end, (), "catch")), *self.around.targets.defaults(), *body)

    def _table(self) -> dict[str, Callable[[Tree, int, int], Lowered]]:
        return {
            "statement_block": self._nested,
            "expression_statement": self._expression,
            "lexical_declaration": self._declared,
            "variable_declaration": self._declared,
            "function_declaration": self._function,
            "generator_function_declaration": self._function,
            "class_declaration": self._class,
            "abstract_class_declaration": self._class,
            "class": self._class,
            "enum_declaration": self._enum,
            "internal_module": self._namespace,
            "module": self._namespace,
            "import_statement": self._imported,
            "export_statement": self._exported,
            "return_statement": self._returned,
            "throw_statement": self._thrown,
            "break_statement": self._left,
            "continue_statement": self._left,
            "if_statement": self._condition,
            "switch_statement": self._cases_of,
            "for_in_statement": self._each,
            "for_statement": self._counted,
            "while_statement": self._repeated,
            "do_statement": self._repeated,
            "labeled_statement": self._labelled,
            "try_statement": self._tried,
        }
