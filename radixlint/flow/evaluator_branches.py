"""Branches and loops: each is walked from the same state, and what they leave is merged where they meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from radixlint.flow.counting import counted_names
from radixlint.flow.evaluator_calls import Calls
from radixlint.flow.evaluator_frames import Exit, Loop
from radixlint.flow.merging import Controls, looped, merged, one_of, other_branch, size_of
from radixlint.flow.merging_facts import carried
from radixlint.flow.program import Call, Member, Node
from radixlint.flow.rounds import number_of_round, round_of, uncounted
from radixlint.flow.scope import Changes, Slot
from radixlint.flow.values import Absent, Callback, Number, Value
from radixlint.prompt import Control, ControlKind

Walk = Callable[[], bool]


class Branches(Calls):
    """Walks branches and loop bodies."""

    def branches(self, walks: Sequence[tuple[Control, Walk]]) -> bool:
        """Walk each branch under its condition; return whether any of them reaches its end."""
        mark = self.store.mark()
        frame = self.frame
        ends: list[tuple[Control, Changes]] = []
        for control, walk in walks:
            frame.under.append(control)
            try:
                if walk():
                    ends.append((control, self.store.changes(mark)))
            finally:
                frame.under.pop()
                self.store.undo(mark)
        self._meet(ends)
        return bool(ends)

    def _meet(self, ends: list[tuple[Control, Changes]]) -> None:
        slots = dict.fromkeys(slot for _, changes in ends for slot in changes)
        self.spend(len(slots))
        for slot in slots:
            values = [((control,), changes.get(slot, slot[0].bound.get(slot[1]))) for control, changes in ends]
            known: list[tuple[Controls, Value]] = [(controls, value) for controls, value in values if value is not None]
            self.spend(sum(size_of(value) for _, value in known) // 8)
            if known:
                self.store.write(*slot, known[0][1] if len(known) == 1 else one_of(known))

    def repeat(
        self, control: Control, first: Callable[[], None], walk: Walk, around: Control, body: tuple[Node, ...] = ()
    ) -> bool:
        """Walk a loop body once; what it adds is under the loop. Return whether a ``break`` leaves it.

        ``around`` is the loop that tells the rounds apart; what ``body`` counts up is another number in each.
        """
        self.keep_what_is_bound()
        frame = self.frame
        mark = self.store.mark()
        loop = Loop(mark, len(frame.under))
        frame.loops.append(loop)
        # A value that is given back from a loop is given back once.
        frame.under.append(replace(control, kind=ControlKind.CONDITION))
        loop.depth += 1
        self.rounds.append(around)
        counted = self.counted_in(body)
        try:
            self._count_up(counted, around)
            first()
            is_reached = walk()
        finally:
            self.rounds.pop()
            frame.under.pop()
            frame.loops.pop()
        self.rejoin(loop.exits, mark, is_reached)
        changes = self.store.changes(mark)
        self.store.undo(mark)
        self.spend(len(changes))
        for (space, name), value in changes.items():
            after = uncounted(value) if name in counted else value
            self.store.write(space, name, looped(space.bound.get(name), after, control))
        return loop.has_break

    def counted_in(self, body: tuple[Node, ...]) -> frozenset[str]:
        """Return the names that statements count."""
        if not body:
            return frozenset()
        names = self.counted.get(id(body[0]))
        if names is None:
            names = self.counted[id(body[0])] = counted_names(body)
        return names

    def _count_up(self, names: frozenset[str], control: Control) -> None:
        """Let the numbers that a loop counts stand for those of any round."""
        for name in names:
            space = self.frame.space.outside.get(name) or self.frame.space.holder(name)
            if space is not None and isinstance(space.bound.get(name), Number):
                self.store.write(space, name, number_of_round(control.span))

    def unroll(self, items: Sequence[Value], first: Callable[[Value], None], walk: Walk) -> bool:
        """Walk a loop body once for each item of a list written out. Return whether what follows the loop is reached."""
        self.keep_what_is_bound()
        frame = self.frame
        for item in items:
            mark = self.store.mark()
            loop = Loop(mark, len(frame.under))
            frame.loops.append(loop)
            try:
                first(item)
                is_reached = walk()
            finally:
                frame.loops.pop()
            if not is_reached and not loop.exits:
                return False
            self.rejoin(loop.exits, mark, is_reached)
        return True

    def for_each(self, node: Call, base: Value, callback: Callback) -> Value:
        """Walk a function as the body of a loop over ``base``."""
        place = node.callee.base if isinstance(node.callee, Member) else node
        control = self.loop(node, base)
        element = carried(self.models.iterated(base, self.span(place), self), control.span)
        number = number_of_round(round_of(control, base).span)

        def walk() -> bool:
            self.invoke(callback, (element, number), (), self.span(node))
            return True

        self.repeat(control, lambda: None, walk, round_of(control, base))
        return Absent()

    def leave(self, loop: Loop, is_break: bool) -> None:
        """Note what was changed where a body is left early."""
        loop.has_break |= is_break
        loop.exits.append(Exit(tuple(self.frame.under[loop.depth :]), self.store.changes(loop.mark)))

    def rejoin(self, exits: Sequence[Exit], mark: int, is_reached: bool) -> None:
        """Merge the state with those in which the code since ``mark`` was left early, the last first."""
        for exit_ in reversed(exits):
            before, now = self.store.before(mark), self.store.changes(mark)
            if not is_reached:
                # What was changed ahead of the branch is among the changes of its exit.
                for slot, value in exit_.changes.items():
                    self.store.write(*slot, value)
                is_reached = True
                continue
            for slot in {**exit_.changes, **now}:
                left = exit_.changes[slot] if slot in exit_.changes else before.get(slot, slot[0].bound.get(slot[1]))
                self._rejoin_slot(slot, left, exit_.controls)

    def _rejoin_slot(self, slot: Slot, left: Value | None, controls: Controls) -> None:
        space, name = slot
        now = space.bound.get(name)
        if left is None or left is now:
            return
        if now is None:
            self.store.write(space, name, left)
        elif controls:
            self.store.write(space, name, merged((controls, left), ((other_branch(controls[-1]),), now)))
