"""What all parts of the evaluator share: models, listener, budget, store, and the frames that are open."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from radixlint.flow.calls import Listener, Models, Outcome, Site
from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_frames import Budget, Closure, Frame
from radixlint.flow.evaluator_frames import Named as Named
from radixlint.flow.merging_facts import NO_FACTS, facts_of, joined
from radixlint.flow.program import Call, Function, Item, Member, Module, Name, Node, Return
from radixlint.flow.rounds import INDEX
from radixlint.flow.scope import ModuleSpace, Space, Store
from radixlint.flow.scope_changes import Changed
from radixlint.flow.values import Facts, Instance, Unknown, Value
from radixlint.prompt import COUNTED, Control, ControlKind, Span

Values = tuple[Value, ...]
OpenTemplate = Callable[[str], object | None]
Load = Callable[[str, str], Module | None]
LEVELS_MAX: Final = 100
_TEXT_MAX: Final = 300
_WRITTEN_MAX: Final = 40


class EvaluatorBase(ABC):
    """State of one evaluation."""

    def __init__(
        self,
        module: Module,
        models: Models,
        listener: Listener,
        load: Load,
        budget: Budget,
        open_template: OpenTemplate | None = None,
    ) -> None:
        self.models = models
        self.listener = listener
        self.load = load
        self.budget = budget
        self._open_template = open_template
        self.store = Store()
        self.homes: dict[str, ModuleSpace] = {}
        self.found: dict[tuple[str, str], ModuleSpace | None] = {}
        self.following: set[tuple[str, str, str, str]] = set()
        self.changed_by: dict[str, Changed] = {}
        self.home = ModuleSpace(module)
        self.homes[module.path] = self.home
        self.frames: list[Frame] = []
        self.objects: dict[int, tuple[Space, ClassInfo]] = {}
        self.selves: dict[ClassInfo, Instance] = {}
        self.pending: list[Closure] = []
        self.queued: set[int] = set()
        self.made: list[Node] = []
        self.heirs_made: list[ClassInfo] = []
        self.calling: list[Call] = []
        self.rounds: list[Control] = []
        self.awaited: set[int] = set()
        self.is_beside = False
        self.counted: dict[int, frozenset[str]] = {}
        self.unfollowed: dict[str, int] = {}
        self.keeping: set[int] = set()
        self.once: dict[int, tuple[Value, Value]] = {}
        self.levels = self.redirected = 0
        self.muted = 0
        self._nodes = 0
        self._spans: dict[int, Span] = {}

    @property
    def frame(self) -> Frame:
        """The innermost frame."""
        return self.frames[-1]

    @property
    def module(self) -> Module:
        """The module whose code is evaluated."""
        return self.frames[-1].home.module

    def span(self, node: Node) -> Span:
        """Return the place of ``node``."""
        found = self._spans.get(id(node))
        if found is None:
            found = self._spans[id(node)] = self.module.passage.span(node.start, node.end)
        return found

    def text(self, node: Node) -> str:
        """Return the source of ``node``, cut where it is long."""
        return self.module.passage.text[node.start : min(node.end, node.start + _TEXT_MAX)]

    def control(self, kind: ControlKind, test: Node, value: Value | None) -> Control:
        """Return a fresh loop over, or condition on, ``value`` written as ``test``; a loop stands where its items come from."""
        self._nodes += 1
        facts = facts_of(value) if value is not None else NO_FACTS
        is_given = kind is ControlKind.LOOP and isinstance(value, Unknown) and facts.calls
        span = value.span if is_given and isinstance(value, Unknown) else self.span(test)
        return Control(kind, self._nodes, 0, facts.of(self.text(test)), span)

    def loop(self, node: Call, value: Value) -> Control:
        """Return a fresh loop over ``value``, which the method called at ``node`` goes through."""
        return self.control(ControlKind.LOOP, node.callee.base if isinstance(node.callee, Member) else node, value)

    def condition(self, node: Call, value: Value) -> Control:
        """Return a fresh condition on ``value``, what the function given to the method called at ``node`` says of an item."""
        given = node.arguments[0].value if node.arguments else node
        last = given.body[-1] if isinstance(given, Function) and given.body else None
        test = last.value if isinstance(last, Return) and last.value is not None else given
        return self.control(ControlKind.CONDITION, test, value)

    def unknown(self, node: Node, *values: Value | None, extra: Facts = NO_FACTS) -> Unknown:
        """Return a value of which only is known that it is made of ``values``."""
        return joined(values, self.span(node), self.text(node), extra)

    def placed_at(self, value: Unknown, node: Node) -> Unknown:
        """Return a value as read at ``node``, which is told as its source."""
        span = self.span(node)
        if span == value.span:
            return value
        facts = replace(value.facts, places=(*value.facts.places, value.span))
        return replace(value, facts=facts, span=span, text=self.text(node))

    def count_at(self, value: Value, node: Node) -> Value:
        """Return a number that is counted, or that says which round of a loop it is, as read at ``node``; all else as it is."""
        if not isinstance(value, Unknown) or not value.facts.filters or value.facts.calls:
            return value
        sign = COUNTED if value.facts.names else INDEX
        return self.placed_at(value, node) if sign in value.facts.filters else value

    def spend(self, units: int) -> None:
        """Count work; see ``Budget.spend``."""
        self.budget.spend(units)

    def open_template(self, name: str) -> object | None:
        """Return the template file ``name``, None if there is none."""
        return self._open_template(name) if self._open_template is not None else None

    def tell_called(self, site: Site, outcome: Outcome) -> None:
        """Tell the listener of a call."""
        if not self.muted:
            self.listener.called(site, outcome)

    def tell_bound(self, target: Node, value: Value, node: Node, added: Value | None = None) -> None:
        """Tell the listener of an assignment, or of what was ``added`` to what was there."""
        if not self.muted:
            name = target.name if isinstance(target, Name) else self.text(target)
            told = None if added is None else self.as_told(added)
            self.listener.bound(name, self.as_told(value), node, self.module, self.frame.function, told)

    def tell_evaluated(self, value: Value, node: Node) -> Value:
        """Tell the listener of a display, comprehension or cut."""
        if not self.muted:
            self.listener.evaluated(self.as_told(value), node, self.module, self.frame.function)
        return value

    @abstractmethod
    def as_told(self, value: Value) -> Value:
        """Return a value that is no part of a request yet."""

    @abstractmethod
    def evaluate(self, node: Node) -> Value:
        """Return what an expression stands for."""

    @abstractmethod
    def run_block(self, statements: tuple[Node, ...]) -> bool:
        """Walk statements; return whether what follows them is reached."""

    @abstractmethod
    def bind(self, target: Node, value: Value, node: Node) -> None:
        """Bind a target of any form."""

    @abstractmethod
    def changed(self, place: Node, old: Value | None, new: Value) -> None:
        """Put ``new`` where the value that was changed in place stands."""

    @abstractmethod
    def attribute(self, base: Value, name: str, node: Node, base_node: Node) -> Value:
        """Return an attribute of a value."""

    @abstractmethod
    def call(self, node: Call, callee: Value) -> Value:
        """Return what a call of a value gives."""

    @abstractmethod
    def invoke(self, callback: Value, positional: Values, named: Named, span: Span) -> Value:
        """Return what a function of the tree or a library gives."""

    @abstractmethod
    def beside(self, callback: Value, positional: Values, named: Named, span: Span) -> Value:
        """Return what a function gives that runs when others are done, or in a thread."""

    @abstractmethod
    def spelled(self, value: Value, span: Span, form: str = "", conversion: str = "") -> Value | None:
        """Return what ``str()`` or ``format()`` gives of an object of the tree, None if its class does not say."""

    @abstractmethod
    def member(self, value: Value, word: str) -> Value | None:
        """Return the attribute or item of ``value`` that a field of a format string names, None if it is not known."""

    @abstractmethod
    def operated(self, operator: str, values: list[Value], node: Node) -> Value:
        """Return what an operator makes of its operands, leftmost first."""

    @abstractmethod
    def enter(self, closure: Closure, positional: Values, named: Named, span: Span) -> Value:
        """Return what a function of the tree gives where it is called at ``span``."""

    @abstractmethod
    def function_value(self, function: Function, space: Space) -> Value:
        """Return a function as a value, and take it up as an entry."""


def dotted(node: Node) -> str:
    """Return a chain of names as written (``OpenAI().chat``), empty if it is none; what stands in brackets is left out."""
    words: list[str] = []
    end = ""
    for _ in range(_WRITTEN_MAX):
        if isinstance(node, Name):
            return ".".join([node.name + end, *reversed(words)])
        if isinstance(node, Member):
            words.append(node.name + end)
            node, end = node.base, ""
        elif isinstance(node, Item):
            node = node.base
        elif isinstance(node, Call):
            node, end = node.callee, "()"
        else:
            break
    return ".".join(["", *reversed(words)]) if words else ""
