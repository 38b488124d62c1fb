"""Archives of bots: the good ones of every format, and each trick that is known against an extractor."""

import errno
import gzip
import io
import os
import shutil
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena import archives, members
from arena.archives import is_archive, unpacked
from arena.errors import InputError, StorageError

if sys.version_info >= (3, 14):
    import tarfile
else:
    from backports.zstd import tarfile

pytestmark = pytest.mark.filterwarnings("ignore:Duplicate name")
TARS = {
    ".tar": "w",
    ".tar.gz": "w:gz",
    ".tgz": "w:gz",
    ".tar.bz2": "w:bz2",
    ".tar.xz": "w:xz",
    ".tar.zst": "w:zst",
}
FORMATS = [".zip", *TARS]
KINDS = {
    stat.S_IFREG: tarfile.REGTYPE,
    stat.S_IFDIR: tarfile.DIRTYPE,
    stat.S_IFLNK: tarfile.SYMTYPE,
    stat.S_IFCHR: tarfile.CHRTYPE,
    stat.S_IFBLK: tarfile.BLKTYPE,
    stat.S_IFIFO: tarfile.FIFOTYPE,
}


class Entry(NamedTuple):
    """A member that is to be packed."""

    name: str
    data: bytes = b"x"
    mode: int = stat.S_IFREG | 0o644
    more: dict[str, Any] = {}  # noqa: RUF012  # attributes of its TarInfo or ZipInfo


BOT = [Entry("bot.toml", b"name"), Entry("bot.py", b"print()", stat.S_IFREG | 0o6755), Entry("lib/x.py", b"")]


def pack(path: Path, entries: list[Entry]) -> Path:
    """Make an archive of the format that its suffix says."""
    (zipped if path.suffix == ".zip" else tarred)(path, entries)
    return path


def zipped(path: Path, entries: list[Entry]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for entry in entries:
            info = zipfile.ZipInfo()
            info.filename, info.external_attr = entry.name, entry.mode << 16
            info.compress_type = min(
                zipfile.ZIP_DEFLATED, entry.more.get("compress_type", zipfile.ZIP_DEFLATED)
            )
            packed.writestr(info, entry.data)
            for key, value in entry.more.items():  # now, so that only the list at the end has it
                setattr(info, key, value)


def tarred(path: Path, entries: list[Entry]) -> None:
    mode: Any = TARS["".join(path.suffixes)]
    with tarfile.open(path, mode) as packed:
        for entry in entries:
            info = tarfile.TarInfo(entry.name)
            info.mode, info.type = stat.S_IMODE(entry.mode), KINDS[stat.S_IFMT(entry.mode)]
            info.size = len(entry.data) if info.isreg() else 0
            for key, value in entry.more.items():
                setattr(info, key, value)
            packed.addfile(info, io.BytesIO(entry.data))


@pytest.fixture
def into(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "down" / "into"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def refused(tmp_path: Path, into: Path) -> Iterator[Callable[[Path, str], None]]:
    """Says that an archive is refused with these words, and that nothing came out of it."""

    def check(archive: Path, words: str) -> None:
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(InputError, match=words) as caught:
            unpacked(archive, into)
        assert str(archive) in str(caught.value)
        assert caught.value.fix
        assert caught.value.code == "E228"
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 1_000
        assert sorted(tmp_path.rglob("*")) == before

    yield check
    assert not list(into.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if not f.is_dir()}


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_gives_the_files_back(tmp_path: Path, into: Path, suffix: str) -> None:
    large = Entry("large.bin", os.urandom(3 * members.CHUNK + 7))
    assert unpacked(pack(tmp_path / f"bot{suffix}", [*BOT, large]), into) == into
    expected = {entry.name: entry.data for entry in [*BOT, large]}
    assert contents(into) == expected
    modes = {name: stat.S_IMODE((into / name).stat().st_mode) for name in ("bot.py", "bot.toml")}
    assert modes["bot.py"] & (stat.S_IXUSR | stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX) == stat.S_IXUSR
    assert not modes["bot.toml"] & stat.S_IXUSR


@pytest.mark.parametrize("suffix", FORMATS)
def test_files_that_all_lie_in_one_folder_are_found_there(tmp_path: Path, into: Path, suffix: str) -> None:
    folder = Entry("mybot-1.0/", b"", stat.S_IFDIR | 0o755)
    hidden = [Entry(".DS_Store"), Entry("__MACOSX/._mybot-1.0")]
    entries = [folder, *hidden, *(entry._replace(name=f"mybot-1.0/{entry.name}") for entry in BOT)]
    assert unpacked(pack(tmp_path / f"bot{suffix}", entries), into) == into / "mybot-1.0"
    assert contents(into / "mybot-1.0") == {entry.name: entry.data for entry in BOT}


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_files_in_two_folders_are_found_above_them(tmp_path: Path, into: Path, suffix: str) -> None:
    assert unpacked(pack(tmp_path / f"bot{suffix}", [Entry("a/bot.toml"), Entry("b/bot.toml")]), into) == into


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_names_as_tools_write_them_are_taken(tmp_path: Path, into: Path, suffix: str) -> None:
    names = [
        "./bot.toml",
        "a b/+-~!.py",
        "žluťoučký/kůň.py",
        "x" * 255,
        "-rf",
        "...py/no",
        "d/__pycache__/x.pyc",
    ]
    entries = [Entry("./", b"", stat.S_IFDIR | 0o755), *(Entry(name) for name in names)]
    unpacked(pack(tmp_path / f"bot{suffix}", entries), into)
    assert set(contents(into)) == {"bot.toml", "a b/+-~!.py", "žluťoučký/kůň.py", "x" * 255, "-rf"}


def test_the_content_says_what_an_archive_is(tmp_path: Path, into: Path) -> None:
    text = tmp_path / "bot.zip"
    text.write_text("no archive, whatever it is called")
    assert not is_archive(text)
    assert not is_archive(tmp_path)
    assert not is_archive(tmp_path / "nothing")
    with pytest.raises(InputError, match="is no archive"):
        unpacked(text, into)
    with pytest.raises(InputError, match="cannot read"):
        unpacked(tmp_path / "nothing", into)
    for suffix in FORMATS:
        wrong = pack(tmp_path / f"bot{suffix}", BOT).rename(tmp_path / f"{suffix[1:]}.txt")
        assert is_archive(wrong)
        folder = into / suffix
        folder.mkdir()
        assert (unpacked(wrong, folder) / "bot.toml").read_bytes() == b"name"


NAMES = {
    "/tmp/evil": "is absolute",
    "../evil": "leads out",
    "a/../../evil": "leads out",
    "a/..": "leads out",
    ".hidden/../../evil": "leads out",
    "C:/evil": "drive letter",
    "C:evil": "drive letter",
    "a\\..\\evil": "backslash",
    "a//evil": "empty part",
    "a/./evil": "empty part",
    ".": "empty part",
    "a/\0evil": "control characters",
    "\x1b]0;evil\x07": "control characters",
    "a\x85b": "control characters",
    "x" * 256: "more than 255 bytes",
    "ž" * 128: "more than 255 bytes",
    "d/" * 600 + "x": "more than 1,024 bytes",
}


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name)[:20])
def test_names_that_mean_harm_are_refused(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str, name: str
) -> None:
    more = {"pax_headers": {"path": name}} if suffix != ".zip" else {}  # a plain header ends a name at a NUL
    refused(pack(tmp_path / f"bot{suffix}", [*BOT, Entry(name, more=more)]), NAMES[name])


def test_an_absolute_name_is_not_written_to(tmp_path: Path, refused: Callable[[Path, str], None]) -> None:
    for suffix in (".zip", ".tar"):
        refused(pack(tmp_path / f"bot{suffix}", [Entry(str(tmp_path / "evil"))]), "is absolute")


def test_names_that_are_not_utf_8_are_refused(tmp_path: Path, refused: Callable[[Path, str], None]) -> None:
    refused(pack(tmp_path / "bot.tar", [Entry("bad\udcffname")]), "is not UTF-8")
    for name in ("bad_name", "bad_náme"):  # the second has the flag which says that it is UTF-8
        archive = pack(tmp_path / f"{len(name.encode())}.zip", [Entry(name)])
        archive.write_bytes(archive.read_bytes().replace(b"bad_", b"bad\xff"))
        refused(archive, "is not UTF-8")


CLASHES = [
    ("bot.py", "bot.py"),
    ("bot.py", "BOT.py"),
    ("strasse.py", "straße.py"),
    ("\u00e9.py", "e\u0301.py"),
    ("lib/a.py", "Lib/b.py"),
    ("lib", "lib/a.py"),
    ("lib/a.py", "lib"),
    ("lib/a.py", "LIB"),
]


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
@pytest.mark.parametrize("names", CLASHES, ids=lambda names: ascii(names)[1:-1])
def test_names_that_some_system_takes_for_one_are_refused(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str, names: tuple[str, str]
) -> None:
    refused(pack(tmp_path / f"bot{suffix}", [Entry(name) for name in names]), "cannot be beside")


def liar(data: bytes, said: int, summed: int) -> dict[str, Any]:
    """Of a member that is not as long as it says, with the checksum of its first `summed` bytes."""
    return {"file_size": said, "CRC": zlib.crc32(data[:summed])}


ODD = {
    "link": (Entry("l", b"/etc", stat.S_IFLNK | 0o777), "is a link"),
    "link of a long name": (Entry("l" * 255, b"/etc", stat.S_IFLNK | 0o777), "'l{255}' is a link"),
    "device": (Entry("d", b"", stat.S_IFCHR | 0o666), "no regular file"),
    "disk": (Entry("d", b"", stat.S_IFBLK | 0o666), "no regular file"),
    "fifo": (Entry("f", b"", stat.S_IFIFO | 0o666), "no regular file"),
}
ZIP_ODD = {
    "socket": (Entry("s", b"", stat.S_IFSOCK | 0o666), "no regular file"),
    "folder": (Entry("s", b"", stat.S_IFDIR | 0o666), "no regular file"),
    "encrypted": (Entry("e", more={"flag_bits": 1}), "is encrypted"),
    "patched": (Entry("e", more={"flag_bits": 0x20}), "damaged"),
    "unknown": (Entry("u", more={"compress_type": 97}), "packed by method 97"),
    "bzip2": (Entry("u", more={"compress_type": zipfile.ZIP_BZIP2}), "packed by method 12"),
    "lzma": (Entry("u", more={"compress_type": zipfile.ZIP_LZMA}), "packed by method 14"),
    "longer": (Entry("x", b"data", more=liar(b"data", 2, 2)), "'x' is damaged"),
    "longer stored": (
        Entry("x", b"data", more=liar(b"data", 2, 2) | {"compress_type": 0}),
        "'x' is damaged",
    ),
    "longer by one": (Entry("x", b"data", more=liar(b"data", 3, 4)), "'x' is not as long"),
    "longer, summed for it": (Entry("x", b"data", more=liar(b"data", 2, 3)), "'x' is not as long"),
    "shorter": (Entry("x", b"data", more=liar(b"data", 9, 4)), "'x' is not as long"),
    "checksum": (Entry("x", b"data", more={"CRC": 1}), "'x' is damaged"),
    "bomb that lies": (Entry("x", bytes(9 << 20), more=liar(bytes(9 << 20), 2, 3)), "'x' is not as long"),
}
TAR_ODD = {
    "hard link": (Entry("l", more={"type": tarfile.LNKTYPE, "linkname": "bot.py", "size": 0}), "is a link"),
    "sparse": (Entry("s", more={"type": tarfile.GNUTYPE_SPARSE}), "no regular file"),
    "pax sparse": (
        Entry("s", more={"pax_headers": {"GNU.sparse.map": "0,1", "GNU.sparse.size": "9"}}),
        "no regular file",
    ),
    "pax sparse without numbers": (
        Entry("s", more={"pax_headers": {"GNU.sparse.map": "a,b", "GNU.sparse.size": "9"}}),
        "damaged",
    ),
    "pax sparse 1.0": (
        Entry("s", b"99999\n", more={"pax_headers": {"GNU.sparse.major": "1", "GNU.sparse.minor": "0"}}),
        "'s' is no regular file",
    ),
    "long name": (Entry("x" * 20_000), "a header of 20,"),
    "long attribute": (Entry("x", more={"pax_headers": {"comment": "x" * 20_000}}), "a header of 20,"),
    "attributes": (Entry("x", more={"pax_headers": {f"x{i}": "" for i in range(51)}}), "50 attributes"),
    "contiguous": (Entry("c", more={"type": tarfile.CONTTYPE}), "no regular file"),
    "unknown": (Entry("c", more={"type": b"Z"}), "no regular file"),
}
TRICKS = [
    *((".zip", entry, words) for entry, words in [*ODD.values(), *ZIP_ODD.values()]),
    *((".tar.gz", entry, words) for entry, words in [*ODD.values(), *TAR_ODD.values()]),
]


@pytest.mark.parametrize(
    ("suffix", "entry", "words"),
    TRICKS,
    ids=[f"zip {name}" for name in [*ODD, *ZIP_ODD]] + [f"tar {name}" for name in [*ODD, *TAR_ODD]],
)
def test_members_that_are_no_plain_files_are_refused(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str, entry: Entry, words: str
) -> None:
    refused(pack(tmp_path / f"bot{suffix}", [*BOT, entry]), words)


def test_a_link_that_would_be_skipped_does_no_harm(tmp_path: Path, into: Path) -> None:
    for suffix in (".zip", ".tar"):
        folder = into / suffix[1:]
        folder.mkdir()
        entries = [*BOT, Entry("lib/.bin/l", b"/etc", stat.S_IFLNK | 0o777)]
        assert set(contents(unpacked(pack(tmp_path / f"bot{suffix}", entries), folder))) == {
            e.name for e in BOT
        }


@pytest.mark.parametrize("suffix", [".zip", ".tar"])
def test_limits_hold_to_the_file_and_to_the_byte(
    tmp_path: Path,
    into: Path,
    refused: Callable[[Path, str], None],
    monkeypatch: pytest.MonkeyPatch,
    suffix: str,
) -> None:
    monkeypatch.setattr(archives, "MAX_FILES", 3)
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    data = os.urandom(1 << 20)
    full = [Entry("a", data[:-1]), Entry("b", b"x"), Entry("c", b"")]
    refused(pack(tmp_path / f"many{suffix}", [*full, Entry("d", b"")]), "more than 3 files .* 'd' counted")
    refused(pack(tmp_path / f"much{suffix}", [*full[:2], Entry("c")]), "more than 1 MiB")
    assert len(contents(unpacked(pack(tmp_path / f"full{suffix}", full), into))) == 3
    for file in into.iterdir():
        file.unlink()
    if suffix == ".tar":  # a zip's are not even read
        skipped = [Entry(".a", data), Entry(".b", data), *BOT]
        refused(pack(tmp_path / "skipped.tar", skipped), "more than 2 MiB")
    monkeypatch.setattr(archives, "MAX_MEMBERS", 20)
    refused(pack(tmp_path / f"deep{suffix}", [Entry("d/" * 30 + "x")]), "20 names")
    refused(pack(tmp_path / f"hidden{suffix}", [Entry(f".{i}") for i in range(21)]), "20 names")


@pytest.mark.parametrize("suffix", FORMATS[:1] + FORMATS[2:])
def test_a_bomb_is_refused_before_it_is_unpacked_whole(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str
) -> None:
    bomb = pack(tmp_path / f"bomb{suffix}", [*BOT, Entry("bomb", bytes(24 << 20))])
    refused(bomb, "more than 100 times")


@pytest.mark.parametrize("suffix", FORMATS[:1] + FORMATS[2:])
def test_a_small_text_is_no_bomb_however_well_it_packs(tmp_path: Path, into: Path, suffix: str) -> None:
    small = pack(tmp_path / f"small{suffix}", [Entry("small", bytes(900 << 10))])
    assert small.stat().st_size * members.MAX_RATIO < 900 << 10
    assert len(contents(unpacked(small, into))["small"]) == 900 << 10


def test_a_bomb_is_not_read_beyond_the_limit(tmp_path: Path, refused: Callable[[Path, str], None]) -> None:
    """The end of each is damaged, and nobody notices."""
    head = tarfile.TarInfo("bomb")
    head.size = 24 << 20
    skipped = tarfile.TarInfo(".bomb")
    skipped.size = 24 << 20
    for info in (head, skipped):
        bomb = tmp_path / f"{info.name}.tar.gz"
        bomb.write_bytes(gzip.compress(info.tobuf() + bytes(24 << 20))[:-2000])
        refused(bomb, "more than 100 times")


def test_the_map_of_a_sparse_file_is_not_read(tmp_path: Path, refused: Callable[[Path, str], None]) -> None:
    info = tarfile.TarInfo("s")
    info.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[482] = 1  # the map goes on in the next block, and is cut off there
    header[148:156] = b"%06o\0 " % (sum(header[:148]) + 8 * ord(" ") + sum(header[156:]))
    archive = tmp_path / "bot.tar"
    archive.write_bytes(header)
    refused(archive, "'s' is no regular file")


@pytest.mark.parametrize("kind", ["L", "K", "x", "g", "X"])
def test_a_header_that_says_more_is_limited(
    tmp_path: Path, refused: Callable[[Path, str], None], kind: str
) -> None:
    info = tarfile.TarInfo("h")
    info.type, info.size = kind.encode(), 20_000
    archive = tmp_path / "bot.tar"
    archive.write_bytes(info.tobuf() + bytes(20_480))
    refused(archive, "a header of 20,")


def test_headers_that_follow_each_other_without_end(
    tmp_path: Path, refused: Callable[[Path, str], None]
) -> None:
    info = tarfile.TarInfo("h")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 2
    archive = tmp_path / "bot.tar"
    archive.write_bytes((info.tobuf() + b"x".ljust(512, b"\0")) * 2_000)
    refused(archive, "damaged or cut short")


def test_a_tar_of_the_oldest_kind_is_taken(tmp_path: Path, into: Path) -> None:
    unpacked(pack(tmp_path / "bot.tar", [Entry("x", more={"type": tarfile.AREGTYPE})]), into)
    assert contents(into) == {"x": b"x"}


def test_the_list_of_a_zip_is_limited(
    tmp_path: Path, refused: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "LIST_BYTES", 100_000)
    refused(pack(tmp_path / "bot.zip", [Entry(f".{i:0200}") for i in range(500)]), "list of files")


@pytest.mark.parametrize("suffix", FORMATS)
def test_an_archive_that_was_cut_short_is_refused(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str
) -> None:
    whole = pack(tmp_path / f"bot{suffix}", [*BOT, Entry("large", os.urandom(5000))]).read_bytes()
    end = 3 * 1024 + 512 + 5120 if suffix == ".tar" else len(whole)  # what follows is padding
    for length in [*range(600, end, 97), end - 1, end - 512, end - 1024]:
        cut = tmp_path / f"cut{suffix}"
        cut.write_bytes(whole[:length])
        refused(cut, "damaged or cut short")


@pytest.mark.parametrize("suffix", [".tar.gz", ".tar.xz", ".tar.zst"])
def test_a_wrong_checksum_at_the_end_is_noticed(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str
) -> None:
    archive = pack(tmp_path / f"bot{suffix}", BOT)
    data = bytearray(archive.read_bytes())
    data[-6] ^= 1
    archive.write_bytes(data)
    refused(archive, "damaged or cut short")


@pytest.mark.parametrize(("suffix", "at"), [(".zip", 30 + len("bot.toml")), (".tar.gz", 18)])
def test_damage_to_what_is_deflated_is_noticed(
    tmp_path: Path, refused: Callable[[Path, str], None], suffix: str, at: int
) -> None:
    archive = pack(tmp_path / f"bot{suffix}", BOT)
    data = bytearray(archive.read_bytes())
    data[at : at + 8] = b"\xff" * 8
    archive.write_bytes(data)
    refused(archive, "damaged or cut short")


def test_the_end_of_a_zip(tmp_path: Path, into: Path, refused: Callable[[Path, str], None]) -> None:
    """Its last 22 bytes are a record, which counts the members in its bytes 10 and 11; then comes a comment."""
    archive = pack(tmp_path / "bot.zip", [])
    assert is_archive(archive)
    assert not contents(unpacked(archive, into))
    whole = pack(archive, BOT).read_bytes()
    for wrong in (whole[:-12] + b"\2\0" + whole[-10:], whole + bytes(4) + whole[-18:]):
        archive.write_bytes(wrong)
        refused(archive, "another number of members")
    for good in (whole[:-12] + b"\xff\xff" + whole[-10:], whole[:-2] + b"\5\0hello"):
        archive.write_bytes(good)
        folder = into / str(len(good))
        folder.mkdir()
        assert len(contents(unpacked(archive, folder))) == len(BOT)
        shutil.rmtree(folder)


def test_a_zip_whose_list_lacks_a_member_is_refused(
    tmp_path: Path, refused: Callable[[Path, str], None]
) -> None:
    archive = pack(tmp_path / "bot.zip", BOT)
    data = bytearray(archive.read_bytes())
    data[data.rindex(b"PK\1\2") - len("bot.py") - 46 + 33] = 1  # 256 bytes of comment: they swallow the last
    archive.write_bytes(data)
    refused(archive, "another number of members")


def test_a_damaged_header_does_not_end_a_tar_quietly(
    tmp_path: Path, refused: Callable[[Path, str], None]
) -> None:
    archive = pack(tmp_path / "bot.tar", BOT)
    data = bytearray(archive.read_bytes())
    data[1024] ^= 1
    archive.write_bytes(data)
    refused(archive, "damaged or cut short")


def test_a_full_disk_is_not_the_archives_fault(
    tmp_path: Path, into: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    archive = pack(tmp_path / "bot.tar", [*BOT, Entry("last")])
    monkeypatch.setattr(Path, "chmod", full)
    with pytest.raises(StorageError, match="No space left") as caught:
        unpacked(archive, into)
    assert caught.value.code == "E401"
    assert not list(into.iterdir())
