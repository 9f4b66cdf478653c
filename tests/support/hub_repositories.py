"""Repositories as a hub keeps them: commits of files, branches, tags, and contents that stand outside git by their sha256."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

ATTRIBUTES = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
"""What a hub puts into every repository that it creates."""


class Objection(Exception):
    """Something that a hub does not do.

    Args:
        status: Status of HTTP.
        why: What it says.
        code: The code that clients go by.
    """

    def __init__(self, status: int, why: str, code: str | None = None) -> None:
        super().__init__(why)
        self.status, self.why, self.code = status, why, code


def git_blob(content: bytes) -> str:
    """Git's name of a file."""
    return hashlib.sha1(b"blob %d\0%s" % (len(content), content), usedforsecurity=False).hexdigest()


@dataclass(frozen=True)
class Entry:
    """A file of a commit.

    Args:
        size: In bytes.
        content: What git has, which is a pointer where the content stands outside.
        sha256: Of the content, where it stands outside.
    """

    size: int
    content: bytes
    sha256: str | None = None

    def as_json(self, path: str) -> dict[str, object]:
        """The entry as a list of files has it."""
        said: dict[str, object] = {"type": "file", "oid": git_blob(self.content), "size": self.size, "path": path}
        if self.sha256 is not None:
            said["lfs"] = {"oid": self.sha256, "size": self.size, "pointerSize": len(self.content)}
        return said


Tree = Mapping[str, Entry]


@dataclass
class Repository:
    """A dataset repository.

    Args:
        private: Whether only its owners may read it.
        gated: Whether it must be asked for.
        trees: Files by commit.
        branches: Commits by branch.
        tags: Commits by tag.
        blobs: Contents outside git, by sha256.
    """

    private: bool = False
    gated: bool = False
    trees: dict[str, Tree] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)

    def begin(self) -> None:
        """The first commit, which the hub makes itself."""
        self.branches["main"] = self.add({".gitattributes": Entry(len(ATTRIBUTES), ATTRIBUTES)}, None)

    def put(self, files: Mapping[str, bytes], branch: str = "main") -> str:
        """Make a commit that adds some files, as somebody else might."""
        head = self.branches.get(branch)
        entries = {path: Entry(len(content), content) for path, content in files.items()}
        self.branches[branch] = self.add({**({} if head is None else self.trees[head]), **entries}, head)
        return self.branches[branch]

    def add(self, tree: Tree, parent: str | None) -> str:
        """Keep a commit and return its name."""
        listed = [[path, git_blob(entry.content)] for path, entry in sorted(tree.items())]
        name = hashlib.sha1(json.dumps([parent, len(self.trees), listed]).encode(), usedforsecurity=False).hexdigest()
        self.trees[name] = dict(tree)
        return name

    def commit_of(self, revision: str) -> str:
        """The commit that a branch, a tag or itself names."""
        commit = self.branches.get(revision) or self.tags.get(revision) or revision
        if commit not in self.trees:
            raise Objection(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return commit

    def content(self, entry: Entry) -> bytes:
        """What is downloaded of a file."""
        return entry.content if entry.sha256 is None else self.blobs[entry.sha256]

    def files(self, revision: str) -> dict[str, bytes]:
        """Everything that is downloaded of a commit."""
        return {path: self.content(entry) for path, entry in self.trees[self.commit_of(revision)].items()}

    def apply(self, branch: str, lines: Iterable[bytes]) -> str:
        """Make a commit of what a client sends: a header, then one operation a line."""
        if branch not in self.branches:
            raise Objection(404, f"no branch {branch}", "RevisionNotFound")
        head = self.branches[branch]
        tree = dict(self.trees[head])
        for line in lines:
            said = json.loads(line)
            value = said["value"]
            match said["key"]:
                case "header":
                    if value.get("parentCommit", head) != head:
                        raise Objection(412, "A commit has happened since. Please refresh and try again.")
                case "file":
                    content = base64.b64decode(value["content"])
                    tree[value["path"]] = Entry(len(content), content)
                case "lfsFile":
                    if value["oid"] not in self.blobs:
                        raise Objection(400, f"LFS pointer pointed to a file that does not exist: {value['path']}")
                    size = len(self.blobs[value["oid"]])
                    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{value['oid']}\nsize {size}\n"
                    tree[value["path"]] = Entry(size, pointer.encode(), value["oid"])
                case "deletedFile":
                    if tree.pop(value["path"], None) is None:
                        raise Objection(404, f"A file with this name doesn't exist: {value['path']}", "EntryNotFound")
                case other:
                    raise Objection(400, f"unknown operation {other}")
        self.branches[branch] = self.add(tree, head)
        return self.branches[branch]
