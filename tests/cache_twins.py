"""Slow, obvious twins of the engines' caches, written from their rules alone: no tree, no queue of their own kind.

The tree is a dictionary from whole prefixes to what is known about the node that ends there; the pool is a list of blocks
and a list of free ones, and takes a prompt in pieces as the engine does.
"""

from __future__ import annotations

from dataclasses import dataclass

Ids = tuple[int, ...]
Path = tuple[str, Ids]


@dataclass
class NodeFacts:
    """What eviction looks at."""

    last: int
    uses: int
    priority: int


class TreeTwin:
    """SGLang's radix cache: whole leaves go; the running request's path is locked."""

    def __init__(self, page: int, capacity: int | None, eviction: str, chunk: int | None) -> None:
        self.page = page
        self.capacity = None if capacity is None else capacity // page * page
        self.eviction = eviction
        self.chunk = None if chunk is None else max(page, chunk // page * page)
        self.nodes: dict[Path, NodeFacts] = {}
        self.stored = 0
        self.clock = 0
        self.locked: Path = ("", ())
        self.held = 0

    def serve(self, prompt: Ids, output: Ids, namespace: str, priority: int) -> int:
        """Run one request to its end and return its cached tokens."""
        page = self.page
        if self.capacity is not None and -(-len(prompt + output) // page) * page > self.capacity:
            return 0
        spare = page if page > 1 else 0
        cached = done = self.touch(namespace, prompt[: max(0, len(prompt) - 1)])
        self.lock(namespace, prompt[:done])
        while self.chunk is not None and len(prompt) - done > self.chunk:
            self.evict(self.chunk + spare)
            done += self.chunk
            self.insert(namespace, prompt[:done], priority, is_last=False)
            self.lock(namespace, prompt[:done])
            self.touch(namespace, prompt[:done])
        self.evict(len(prompt) - done + spare)
        self.insert(namespace, prompt, priority)
        if output:
            self.touch(namespace, prompt)
            self.lock(namespace, prompt[: len(prompt) // page * page])
            self.held = page if len(prompt) % page else 0
            for position in range(len(prompt), len(prompt) + len(output)):
                self.evict(page)
                self.held += page if position % page == 0 else 0
            self.held = 0
            self.insert(namespace, prompt + output, priority)
        self.lock("", ())
        return cached

    def tick(self) -> int:
        self.clock += 1
        return self.clock

    def lock(self, namespace: str, ids: Ids) -> None:
        self.locked = (namespace, ids)

    def touch(self, namespace: str, ids: Ids) -> int:
        """Match in whole pages, split where the match ends, stamp the path; return the matched tokens."""
        matched = max((common(ids, path) for space, path in self.nodes if space == namespace), default=0)
        matched -= matched % self.page
        now = self.tick()
        beyond = [p for p in self.nodes if p[0] == namespace and len(p[1]) > matched and p[1][:matched] == ids[:matched]]
        if matched and (namespace, ids[:matched]) not in self.nodes:
            tail = self.nodes[min(beyond, key=lambda path: len(path[1]))]
            tail.last = now
            self.nodes[namespace, ids[:matched]] = NodeFacts(now, tail.uses, tail.priority)
        for path in self.above(namespace, ids[:matched]):
            self.nodes[path].last = now
        return matched

    def insert(self, namespace: str, ids: Ids, priority: int, *, is_last: bool = True) -> None:
        """Store whole pages; the path counts a use, but not for a piece of a prompt."""
        ids = ids[: len(ids) // self.page * self.page]
        matched = self.touch(namespace, ids)
        if matched < len(ids):
            self.nodes[namespace, ids] = NodeFacts(self.clock, 0, priority)
            self.stored += len(ids) - matched
        for path in self.above(namespace, ids):
            self.nodes[path].uses += is_last
            self.nodes[path].priority = max(self.nodes[path].priority, priority)
        assert self.capacity is None or self.stored <= self.capacity

    def above(self, namespace: str, ids: Ids) -> list[Path]:
        """Return the nodes on the way to the end of ``ids``."""
        return [p for p in self.nodes if p[0] == namespace and ids[: len(p[1])] == p[1]]

    def evict(self, need: int) -> None:
        """Give up unlocked leaves until ``need`` tokens are free or none is left."""
        while self.capacity is not None and self.capacity - self.stored - self.held < need:
            leaves = [path for path in self.nodes if not self.is_locked(path) and not self.has_child(path)]
            if not leaves:
                break
            leaf = min(leaves, key=self.worth)
            del self.nodes[leaf]
            self.stored -= len(leaf[1]) - max((len(path) for _, path in self.above(*leaf)), default=0)

    def is_locked(self, path: Path) -> bool:
        return path[0] == self.locked[0] and self.locked[1][: len(path[1])] == path[1]

    def has_child(self, path: Path) -> bool:
        return any(s == path[0] and len(p) > len(path[1]) and p[: len(path[1])] == path[1] for s, p in self.nodes)

    def worth(self, path: Path) -> tuple[int, int]:
        facts = self.nodes[path]
        return {
            "lru": (0, facts.last),
            "lfu": (facts.uses, facts.last),
            "slru": (int(facts.uses >= 2), facts.last),
            "priority": (facts.priority, facts.last),
        }[self.eviction]


class PoolTwin:
    """vLLM's block pool, blocks numbered, the null block left out."""

    def __init__(self, block: int, usable: int, chunk: int | None) -> None:
        self.block = block
        self.usable = usable
        self.chunk = chunk
        self.content: dict[int, Path | None] = dict.fromkeys(range(usable))
        self.copies: dict[Path, list[int]] = {}
        self.free = list(range(usable))

    def serve(self, prompt: Ids, output: Ids, namespace: str) -> int:
        """Run one request to its end and return its cached tokens."""
        whole = prompt + output
        if -(-len(whole) // self.block) > self.usable:
            return 0
        held: list[int] = []
        for end in range(self.block, len(prompt), self.block):
            known = self.copies.get((namespace, prompt[:end]))
            if not known:
                break
            held.append(known[0])
        for number in held:
            self.free.remove(number)
        cached = len(held) * self.block
        at, hashed = cached, len(held)
        while at < len(whole):
            # The prompt in pieces, then one token a step.
            at = min(len(prompt), at + (self.chunk or len(prompt))) if at < len(prompt) else at + 1
            while len(held) * self.block < at:
                held.append(self.take())
            for n in range(hashed, at // self.block):
                path = (namespace, whole[: (n + 1) * self.block])
                self.content[held[n]] = path
                self.copies.setdefault(path, []).append(held[n])
            hashed = at // self.block
        for number in reversed(held):
            self.free.insert(len(self.free) if self.content[number] else 0, number)
        return cached

    def take(self) -> int:
        """Take the block at the front of the free queue; what it held is gone."""
        number = self.free.pop(0)
        path = self.content[number]
        if path is not None:
            self.copies[path].remove(number)
        self.content[number] = None
        return number


def common(one: Ids, other: Ids) -> int:
    """Return the length of the common prefix."""
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return length
