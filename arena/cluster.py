"""Which cluster plays: `local:N`, the address of a scheduler, or a cluster file.

[cluster]
kind = "slurm"            # who starts the workers; "address": somebody else did
workers = 20              # or minimum and maximum
[cluster.tls]             # for a scheduler that was started by hand
ca, cert, key             # files, beside this one
[cluster.options]         # for the class of dask-jobqueue or dask-kubernetes that starts them
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from arena.errors import InputError, did_you_mean
from arena.inputs import complaint, input_text, toml

KINDS = {
    "local": "distributed:LocalCluster",
    "ssh": "distributed:SSHCluster",
    "slurm": "dask_jobqueue:SLURMCluster",
    "pbs": "dask_jobqueue:PBSCluster",
    "sge": "dask_jobqueue:SGECluster",
    "lsf": "dask_jobqueue:LSFCluster",
    "oar": "dask_jobqueue:OARCluster",
    "htcondor": "dask_jobqueue:HTCondorCluster",
    "kubernetes": "dask_kubernetes.operator:KubeCluster",
}
"""What starts the workers of a kind: a module and a class of it. Others are named just so in a cluster file."""
PACKAGES = {"dask_jobqueue": "dask-jobqueue", "dask_kubernetes": "dask-kubernetes", "asyncssh": "asyncssh"}
"""What has these modules."""
MOST_HERE = 256
"""Workers of kind `local`: each is a process with a Dask of its own."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

Share = Annotated[float, Field(ge=0, le=1)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Tls(BaseModel):
    """Where keys are; paths are relative to the cluster file."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    ca: Path
    """The certificate of who signs the others."""
    cert: Path
    """The runner's certificate,"""
    key: Path
    """and its key."""


class Cluster(BaseModel):
    """The key `[cluster]` of a cluster file."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    kind: str
    """`address`, one of KINDS, or `module:Class`."""
    address: str = ""
    """Of a running scheduler: tcp://host:port or tls://host:port."""
    workers: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """How many are started; those that end are started anew. `ssh` has one for each of its `hosts`."""
    minimum: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """In place of `workers`: as many at least,"""
    maximum: Annotated[int, Field(ge=1, le=10_000)] | None = None
    """and as many at most, as there is work."""
    tls: Tls | None = None
    """Of a scheduler that was started by hand."""
    options: dict[str, Any] = {}
    """Handed to the class of `kind`."""
    audit: Share = 0.02
    """Of units of bots that say they are deterministic: the share that is played twice and must agree."""
    slowest: Share = 0.5
    """A worker at less than this part of the median's speed is not used."""
    busiest: Share = 0.3
    """Nor one that gets less than this part of a core."""
    silent_seconds: Seconds = 15.0
    """A worker that the scheduler does not hear for so long is taken for lost."""
    lease_seconds: Seconds = 60.0
    """So much longer than usual a unit may take until it is given to another."""
    wait_seconds: Seconds | None = None
    """How long to wait for a worker that can play; by default a minute, and without end for a queue of jobs."""
    unit_seconds: Seconds = 10.0
    """What a worker is to play at a stretch."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.kind != "address" and self.kind not in KINDS and ":" not in self.kind:
            fix = did_you_mean(self.kind, ["address", *KINDS])
            raise ValueError(f"there is no kind {self.kind!r}; {fix}, or a class as module:Class")
        if (self.kind == "address") != bool(self.address):
            raise ValueError('`address` goes with kind = "address", and with no other')
        if self.address and not _is_address(self.address):
            raise ValueError(
                f"{self.address!r} is no address: tcp://host:port or tls://host:port is expected"
            )
        self._check_keys()
        self._check_numbers()
        return self

    def _check_keys(self) -> None:
        """Raise ValueError for keys that would change nothing."""
        if self.kind == "address" and self.options:
            raise ValueError("[cluster.options] are for what starts workers, and an address starts none")
        if self.tls and self.kind != "address":
            raise ValueError('[cluster.tls] goes with kind = "address"; others say keys in [cluster.options]')
        if self.tls and not self.encrypted:
            raise ValueError(f"keys go with tls://: write {self.address.replace('tcp', 'tls', 1)!r}")

    def _check_numbers(self) -> None:
        said = [key for key in ("workers", "minimum", "maximum") if getattr(self, key) is not None]
        if self.kind in ("address", "ssh"):
            if said:
                who = "who runs there" if self.kind == "address" else "its `hosts`"
                raise ValueError(f"`{said[0]}` does not go with kind = {self.kind!r}: {who} are the workers")
        elif said not in (["workers"], ["minimum", "maximum"]):
            raise ValueError("say how many: either `workers`, or `minimum` and `maximum`")
        if self.minimum and self.maximum and self.minimum > self.maximum:
            raise ValueError(f"minimum = {self.minimum} is above maximum = {self.maximum}")
        if self.is_local and (said != ["workers"] or (self.workers or 0) > MOST_HERE):
            raise ValueError(f"one machine has a fixed number of `workers`, {MOST_HERE} at most")

    def __str__(self) -> str:
        """Who plays, in words."""
        if self.address:
            return f"the workers of {self.address}"
        fixed = "" if self.workers is None else f"{self.workers:,} "
        span = "" if self.minimum is None else f"{self.minimum:,} to {self.maximum:,} "
        kind = "on this machine" if self.is_local else f"that {self.kind} starts"
        return f"{fixed}{span}{'worker' if self.workers == 1 else 'workers'} {kind}"

    @property
    def is_local(self) -> bool:
        """Whether all of it is on this machine, and ends with the run."""
        return self.kind == "local"

    @property
    def is_queued(self) -> bool:
        """Whether its workers are jobs of dask-jobqueue."""
        return KINDS.get(self.kind, self.kind).startswith("dask_jobqueue")

    @property
    def encrypted(self) -> bool:
        """Whether only who has a key may talk to its scheduler."""
        usual = "tls" if self.is_local or self.is_queued else "tcp"
        return (self.address or str(self.options.get("protocol", usual))).startswith("tls")

    @property
    def exposed(self) -> bool:
        """Whether anybody on a network may."""
        host = self.address.removeprefix("tcp://").rpartition(":")[0]
        return not self.encrypted and host not in LOOPBACK

    @property
    def patience(self) -> float | None:
        """Seconds for which one waits for a worker."""
        queued = self.kind not in ("address", "local", "ssh")
        return self.wait_seconds or (None if queued else 60.0)


def cluster_at(where: str, cores: int) -> Cluster:
    """What `--cluster WHERE` means; `local` alone has a worker for each of `cores`. Raises InputError."""
    kind, _, number = where.partition(":")
    if kind == "local":
        if not ((number.isascii() and number.isdigit()) or where == kind) or number == "0":
            raise InputError(f"--cluster {where!r}: local:N with a number of workers is expected", "", "E263")
        return _meant(where, kind="local", workers=int(number) if number else min(cores, MOST_HERE))
    if where.startswith(("tcp://", "tls://")):
        return _meant(where, kind="address", address=where)
    if not Path(where).is_file():
        fix = "local:N, tcp://host:port, tls://host:port, or a cluster file (docs/clusters.md)"
        raise InputError(f"--cluster {where!r}: there is no such file", fix, "E263")
    return cluster_of(Path(where))


def _meant(where: str, **keys: Any) -> Cluster:
    try:
        return Cluster.model_validate(keys)
    except ValidationError as error:
        what, _ = complaint(error, Cluster, f"--cluster {where!r}")
        raise InputError(what, "local:N, tcp://host:port or tls://host:port is expected", "E263") from None


def _is_address(text: str) -> bool:
    """Whether it has a host and a port.

    >>> [_is_address(text) for text in ("tls://10.0.0.5:8786", "tcp://[::1]:1", "tcp://", "tcp://a", "tls://a:b")]
    [True, True, False, False, False]
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    return parts.scheme in ("tcp", "tls") and bool(parts.hostname and port) and parts.geturl().count("/") == 2


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    cluster: Cluster


def cluster_of(file: Path) -> Cluster:
    """A cluster file. Raises InputError."""
    try:
        text = input_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {file}: {error}", "check the path", "E201") from None
    try:
        cluster = _File.model_validate(toml(text, str(file))).cluster
    except ValidationError as error:
        raise InputError(*complaint(error, _File, str(file), text), "E262") from None
    if cluster.tls is None:
        return cluster
    beside = {name: file.parent / path for name, path in cluster.tls}
    for name, path in beside.items():
        if not path.is_file():
            raise InputError(f"{file}: cluster.tls.{name}: there is no file {path}", "mend the path", "E262")
    return cluster.model_copy(update={"tls": Tls(**beside)})
