"""Modules of the tree: imports are followed when their names are asked for, and a module's body is run only if need be."""

from __future__ import annotations

from radixlint.errors import SourceError
from radixlint.flow.classes import ClassInfo
from radixlint.flow.evaluator_frames import Closure, Frame, Imported
from radixlint.flow.evaluator_objects import Objects
from radixlint.flow.imports import candidates, is_where_named, outside_name, submodule
from radixlint.flow.program import Class, Define, Import, Module
from radixlint.flow.scope import ModuleSpace, Space, Store
from radixlint.flow.scope_changes import Changed, changed_names
from radixlint.flow.values import Callback, Facts, Library, Unknown, Value
from radixlint.prompt import Span


class Modules(Objects):
    """Follows imports."""

    def space_of(self, module: Module) -> ModuleSpace:
        """Return the names of a module, those of its functions and imports bound; one for a path."""
        found = self.homes.get(module.path)
        if found is None:
            found = self.homes[module.path] = ModuleSpace(module)
            self.hoist(found)
        return found

    def hoist(self, home: ModuleSpace) -> None:
        """Bind the functions and imports of a module, which are known without its body being run."""
        makers = {node.function.name for node in home.module.body if isinstance(node, Define)}
        makers |= {node.name for node in home.module.body if isinstance(node, Class)}
        for node in home.module.body:
            # What a decorator of the module makes of a function is known when its body is run.
            if isinstance(node, Define) and not makers.intersection(node.function.decorators):
                home.bound[node.function.name] = Callback(node.function.name, Closure(node.function, home, home))
            elif isinstance(node, Import):
                self._bind_import(home, node)

    def _bind_import(self, home: ModuleSpace, node: Import) -> None:
        if node.alias:
            home.bound[node.alias] = Callback(node.alias, Imported(node.module, "", node.alias, home))
        for there, here in node.names:
            if there != "*":
                home.bound[here] = Callback(here, Imported(node.module, there, here, home))

    def run_module(self, home: ModuleSpace) -> None:
        """Run the body of an imported module, once; nothing is told of it, and no branch takes it back."""
        if home.is_run:
            return
        home.is_run = True
        store, self.store = self.store, Store()
        self.muted += 1
        self.frames.append(Frame(home, home))
        try:
            self.run_block(home.module.body)
        finally:
            self.frames.pop()
            self.muted -= 1
            self.store = store

    def resolved(self, value: Value, space: Space, name: str) -> Value:
        """Return what an imported name stands for."""
        if not isinstance(value, Callback) or not isinstance(value.target, Imported):
            return value
        target = value.target
        key = (target.home.module.path, target.module, target.name, target.local)
        if key in self.following:
            return Library(outside_name(target.module, target.name))
        self.following.add(key)
        try:
            found = self._followed(target)
        finally:
            self.following.discard(key)
        if name in space.bound and space.bound[name] is value:
            space.bound[name] = found
        return found

    def _followed(self, target: Imported) -> Value:
        home = self.imported(target.module, target.home)
        if not target.name:
            return Callback(target.local, home) if home is not None else Library(outside_name(target.module))
        if home is not None:
            value = self.from_module(home, target.name)
            if value is None and target.name == "default":
                return Callback(target.local, home)
            if value is not None:
                return value
        inner = self.imported(submodule(target.module, target.name), target.home)
        if inner is not None:
            return Callback(target.local, inner)
        if home is None:
            name = target.local if target.name == "default" and target.local[:1].isupper() else target.name
            return Library(outside_name(target.module, name))
        return Unknown(Facts(names=(target.local,)), self.span_of(target), target.local, target.local)

    def span_of(self, target: Imported) -> Span:
        """Return the first place of the importing file, where no better one is known."""
        return target.home.module.passage.span(0, 0)

    def imported(self, module: str, home: ModuleSpace) -> ModuleSpace | None:
        """Return the module of the tree that ``module`` means in ``home``, None if it is none of the tree."""
        key = (home.module.path, module)
        if key not in self.found:
            self.found[key] = self._looked_up(module, home.module)
        return self.found[key]

    def _looked_up(self, module: str, importer: Module) -> ModuleSpace | None:
        for name in candidates(module, importer.path, importer.language):
            try:
                found = self.load(name, importer.path)
            except SourceError:
                # A file that does not parse has its own finding.
                continue
            if found is not None and is_where_named(name, importer.path, found.path):
                return self.space_of(found)
        return None

    def submodule(self, home: ModuleSpace, name: str) -> Value | None:
        """Return the module ``name`` inside of the package ``home``."""
        if home.module.language != "python" or not home.module.path.endswith("__init__.py"):
            return None
        found = self.imported(f".{name}", home)
        return Callback(name, found) if found is not None else None

    def required(self, module: str) -> Value:
        """Return the module that ``require`` gives."""
        found = self.imported(module, self.frame.home)
        return Callback(module, found) if found is not None else Library(outside_name(module))

    def star_names(self, node: Import) -> None:
        """Bind all names of a module of the tree."""
        home = self.imported(node.module, self.frame.home)
        if home is None or home is self.frame.home:
            return
        self.run_module(home)
        for name, value in list(home.bound.items()):
            if not name.startswith("_") and name != "default":
                self.store.write(self.frame.space, name, self.resolved(value, home, name))

    def attribute_of_module(self, value: Callback, name: str) -> Value:
        """Return ``name`` of a module or class, as a base of a class."""
        if isinstance(value.target, ModuleSpace):
            return self.from_module(value.target, name) or Library(name)
        found = value.target.find(name) if isinstance(value.target, ClassInfo) else None
        return found[1] if found is not None else Library(name)

    def changes_of(self, home: ModuleSpace) -> Changed:
        """Return what the functions of a module change."""
        found = self.changed_by.get(home.module.path)
        if found is None:
            found = self.changed_by[home.module.path] = changed_names(home.module)
        return found
