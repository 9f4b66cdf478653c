"""A hub as publishing sees it: a handful of calls, each of which ends in what was asked for or in one line that says why not.

`huggingface_hub` itself repeats how it sends and lists files, some versions more often than others, so that is repeated here but
once. What it asks a single time is repeated here, if it may be asked twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from earmark.builders.publishing.hub.contents import LocalFile, RemoteFile
from earmark.builders.publishing.hub.faults import HubError, host, told
from earmark.builders.publishing.hub.silence import quietly
from earmark.manifests.errors import MissingExtra

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, HfApi

Found = TypeVar("Found")

WAITS_S = (1.0, 2.0, 4.0, 8.0)
"""Seconds before a call is repeated."""

_DATASET = "dataset"


@dataclass(frozen=True)
class References:
    """What names which commit.

    Args:
        branches: Commits by branch.
        tags: Commits by tag.
    """

    branches: Mapping[str, str]
    tags: Mapping[str, str]


class Hub:
    """A hub, and who is signed in there.

    Args:
        endpoint: Its address; HF_ENDPOINT's, or the public one.
        token: Who is signed in; as `huggingface_hub` finds it, in HF_TOKEN or what `hf auth login` keeps. It is never written.
        wait: Waits so many seconds.

    Raises:
        MissingExtra: If `huggingface_hub` is not installed.
        HubError: If there is no token, or HF_HUB_OFFLINE is set.
    """

    def __init__(
        self, endpoint: str | None = None, token: str | None = None, wait: Callable[[float], None] = time.sleep
    ) -> None:
        try:
            import huggingface_hub
            from huggingface_hub import constants
        except ImportError as error:
            raise MissingExtra("publish", "huggingface_hub") from error
        if constants.HF_HUB_OFFLINE:
            raise HubError("HF_HUB_OFFLINE forbids to talk to a hub; unset it, or publish into a folder")
        self._token = token or huggingface_hub.get_token()
        if not self._token:
            raise HubError("nobody is signed in at the hub: `hf auth login`, or a token with write access in HF_TOKEN")
        self._api: HfApi = huggingface_hub.HfApi(endpoint=endpoint, token=self._token)
        self._wait = wait

    @property
    def endpoint(self) -> str:
        """Its address."""
        return str(self._api.endpoint)

    def page(self, repository: str, revision: str) -> str:
        """Address of what a browser shows of a revision."""
        scheme = self.endpoint.partition("://")[0]
        return f"{scheme}://{host(self.endpoint)}/datasets/{repository}/tree/{revision}"

    def account(self) -> str:
        """Who is signed in.

        Raises:
            HubError: If the token is not accepted, or the hub cannot be reached.
        """
        return str(self._ask("the hub", "sign in", lambda: self._api.whoami(), repeated=1)["name"])

    def create(self, repository: str, *, private: bool) -> bool:
        """Create a dataset repository if there is none, and return whether what is there now is private.

        Raises:
            HubError: If that cannot be.
        """

        def make() -> bool:
            # Unless it is asked for, nothing is said, or an organisation whose repositories are private would be overruled.
            self._api.create_repo(repository, repo_type=_DATASET, private=private or None, exist_ok=True)
            return bool(self._api.repo_info(repository, repo_type=_DATASET).private)

        return self._ask(repository, "create the repository", make)

    def references(self, repository: str) -> References:
        """Its branches and tags.

        Raises:
            HubError: If they cannot be had.
        """
        refs = self._ask(repository, "list its tags", lambda: self._api.list_repo_refs(repository, repo_type=_DATASET))
        return References(
            {ref.name: ref.target_commit for ref in refs.branches}, {ref.name: ref.target_commit for ref in refs.tags}
        )

    def tree(self, repository: str, commit: str) -> Mapping[str, RemoteFile]:
        """The files of a commit, by path.

        Raises:
            HubError: If they cannot be listed.
        """
        from huggingface_hub.hf_api import RepoFile

        def listed() -> Mapping[str, RemoteFile]:
            entries = self._api.list_repo_tree(repository, recursive=True, revision=commit, repo_type=_DATASET)
            return {
                entry.path: RemoteFile(entry.size, entry.blob_id, None if entry.lfs is None else entry.lfs.sha256)
                for entry in entries
                if isinstance(entry, RepoFile)
            }

        return self._ask(repository, "list its files", listed, repeated=1)

    def content(self, repository: str, commit: str, path: str, most: int) -> bytes:
        """The first bytes of a file, up to so many.

        Raises:
            HubError: If they cannot be had.
        """
        from huggingface_hub import get_session, hf_hub_url, hf_raise_for_status

        def read() -> bytes:
            url = hf_hub_url(repository, path, repo_type=_DATASET, revision=commit, endpoint=self.endpoint)
            with get_session().stream("GET", url, headers={"authorization": f"Bearer {self._token}"}) as reply:
                hf_raise_for_status(reply)
                taken = b""
                for block in reply.iter_bytes():
                    taken += block
                    if len(taken) >= most:
                        break
            return taken[:most]

        return self._ask(repository, f"read {path}", read)

    def branch(self, repository: str, branch: str, commit: str) -> None:
        """Begin a branch at a commit, if there is none of that name.

        Raises:
            HubError: If that cannot be.
        """

        def begin() -> None:
            self._api.create_branch(repository, branch=branch, revision=commit, repo_type=_DATASET, exist_ok=True)

        self._ask(repository, f"begin the branch {branch}", begin)

    def sent(self, repository: str, branch: str, files: Mapping[str, LocalFile]) -> Sequence[CommitOperationAdd]:
        """Send what is large of some files, unless the hub has it, and return what a commit needs to name them.

        Raises:
            HubError: If it cannot be sent.
        """
        from huggingface_hub import CommitOperationAdd

        def send() -> Sequence[CommitOperationAdd]:
            additions = []
            for name, file in files.items():
                addition = CommitOperationAdd(path_in_repo=name, path_or_fileobj=file.path.absolute())
                addition.upload_info.sha256 = bytes.fromhex(file.sha256)  # known, and not to be read for once more
                additions.append(addition)
            # No rule of the repository's own may leave a file out.
            self._api.preupload_lfs_files(
                repository, additions, revision=branch, repo_type=_DATASET, free_memory=False, gitignore_content=""
            )
            return additions

        return self._ask(repository, "send files", send, repeated=1)

    def commit(
        self,
        repository: str,
        branch: str,
        message: str,
        additions: Sequence[CommitOperationAdd],
        deletions: Sequence[str],
        parent: str | None,
    ) -> None:
        """Add and delete files, all at once, if the branch is where it was.

        Raises:
            HubError: If the hub does not say that it did; it may have done it all the same.
        """
        from huggingface_hub import CommitOperationDelete

        def post() -> None:
            self._api.create_commit(
                repository,
                [*additions, *(CommitOperationDelete(path, is_folder=False) for path in deletions)],
                commit_message=message,
                revision=branch,
                repo_type=_DATASET,
                parent_commit=parent,
            )

        self._ask(repository, "commit", post, repeated=0)

    def tag(self, repository: str, tag: str, commit: str) -> None:
        """Tag a commit; a tag of that name that is there already stays where it is.

        Raises:
            HubError: If that cannot be.
        """

        def put() -> None:
            self._api.create_tag(repository, tag=tag, revision=commit, repo_type=_DATASET, exist_ok=True)

        self._ask(repository, f"tag it {tag}", put)

    def pause(self, times: int) -> None:
        """Wait before something is done the next time."""
        self._wait(WAITS_S[min(times, len(WAITS_S) - 1)])

    def _ask(self, where: str, doing: str, call: Callable[[], Found], repeated: int = len(WAITS_S)) -> Found:
        times = 0
        while True:
            try:
                with told(where, doing, self.endpoint, self._token), quietly():
                    return call()
            except HubError as error:
                if times == repeated or not error.passing:
                    raise
            self.pause(times)
            times += 1
