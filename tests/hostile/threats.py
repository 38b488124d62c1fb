"""The table of threats: what a bot, a machine or a file may do, and what shows that it does no harm.

Numbers are those of docs/security; a threat is shown by bots that try it, by attempts of the probe, or by tests
of the project. Knows no process.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

BAD = Path(__file__).parents[1] / "bad_bots"
GOT_AWAY = "crash/exit 7"
"""How a bot ends that got what it was to be denied."""


@dataclass(frozen=True)
class Attack:
    """A bot that tries something in a game."""

    threat: str
    """`T1` to `T72`."""
    title: str
    bot: str
    """Its file below tests/bad_bots, without `.py`; perhaps with an argument."""
    games: int = 1
    """More than one: each with a process of its own."""
    move_ms: int = 600
    bank_ms: int = 0
    """0: none."""

    @property
    def path(self) -> Path:
        """The bot's file."""
        return BAD / f"{self.bot.split()[0]}.py"

    @property
    def arguments(self) -> tuple[str, ...]:
        """Those of the bot."""
        return tuple(self.bot.split()[1:])

    @cached_property
    def notes(self) -> dict[str, str]:
        """What stands at the top of its file, as `# NAME: VALUE`."""
        return dict(re.findall(r"^# ([a-z -]+): (.+)$", self.path.read_text("utf-8"), re.MULTILINE))

    @property
    def transports(self) -> list[str]:
        """The ways of talking in which it makes sense."""
        only = "stdio" if self.bot.startswith("lines/") else "ipc stdio"
        return self.notes.get("transports", only).split()

    def expected(self, mode: str, transport: str, layers: Collection[str]) -> str:
        """The right verdicts, with ` or ` between them; less may be promised where one of the `layers` is missing."""
        notes = self.notes
        missing = [notes[note] for note in notes if note.startswith("without ") and note[8:] not in layers]
        if missing and mode != "none":
            return missing[0]
        return notes.get(f"in {mode}") or notes.get(f"over {transport}") or notes["expect"]

    def litters(self, mode: str) -> bool:
        """Whether it is not promised in `mode` that nothing is left of it."""
        return f"leaves in {mode}" in self.notes


@dataclass(frozen=True)
class Escape:
    """Attempts of the probe, none of which may succeed in an isolated mode."""

    threat: str
    title: str
    attempts: tuple[str, ...]


@dataclass(frozen=True)
class Covered:
    """A threat in which no bot is the attacker: tests of the project."""

    threat: str
    title: str
    tests: tuple[str, ...]
    """Ids as pytest takes them, below tests/."""


Threat = Attack | Escape | Covered

PROBE = Attack("T40", "the probe", "hostile/probe", move_ms=10_000)
"""Its attempts are those of the escapes."""

ATTACKS = (
    Attack("T1", "says what is no JSON", "not_json"),
    Attack("T2", "speaks Latin-2", "not_utf8"),
    Attack("T2", "speaks UTF-16", "hostile/utf16"),
    Attack("T2", "begins with a byte order mark", "lines/byte_order_mark"),
    Attack("T3", "a message of 600 MB", "hostile/endless"),
    Attack("T4", "8,000 frames of 60 kB", "hostile/multipart"),
    Attack("T5", "60,000 brackets", "too_deep"),
    Attack("T6", "NaN and 1e999", "hostile/not_finite"),
    Attack("T7", "a number of 5,000 digits", "hostile/big_int"),
    Attack("T8", "a key twice", "twice"),
    Attack("T9", "a text for a number", "wrong_type"),
    Attack("T10", "a field that is not known", "unknown_field"),
    Attack("T11", "half a surrogate pair", "hostile/surrogate"),
    Attack("T11", "control characters in a note", "hostile/controls"),
    Attack("T12", "a card that it does not have", "cheats"),
    Attack("T13", "moves after its deadline", "hostile/late"),
    Attack("T14", "moves twice", "two_moves"),
    Attack("T15", "talks when it was not asked", "not_asked"),
    Attack("T16", "answers the turn before", "stale"),
    Attack("T17", "answers another game", "hostile/other_game"),
    Attack("T18", "says hello with another token", "wrong_token"),
    Attack("T19", "speaks at other bots' endpoints", "hostile/impostor"),
    Attack("T20", "a grandchild plays on after its end", "hostile/heir"),
    Attack("T21", "100,000 valid moves", "hostile/floods_moves"),
    Attack("T21", "floods a second connection", "floods_beside"),
    Attack("T21", "floods before hello", "floods_first"),
    Attack("T22", "reads nothing", "lines/deaf"),
    Attack("T23", "drips its move byte by byte", "hostile/drips"),
    Attack("T23", "half a handshake", "hostile/half_greeting"),
    Attack("T24", "keeps alive and never moves", "hostile/keeps_alive"),
    Attack("T24", "floods with pings", "hostile/pings"),
    Attack("T62", "moves late, by pings", "hostile/late_by_pings"),
    Attack("T62", "moves late, by children", "hostile/late_by_rabbits"),
    Attack("T24", "urgent bytes", "hostile/out_of_band"),
    Attack("T25", "250 connections", "hostile/crowd"),
    Attack("T26", "prints a little among its messages", "lines/noise"),
    Attack("T26", "prints without end", "lines/noise_without_end"),
    Attack("T27", "floods its log", "chatters"),
    Attack("T28", "closes its output and lives on", "hangs_up"),
    Attack("T28", "closes its input and lives on", "lines/closes_stdin"),
    Attack("T29", "leaves with exit 3", "dies"),
    Attack("T29", "leaves before hello", "leaves_early"),
    Attack("T29", "ends by a signal", "segfaults"),
    Attack("T30", "leaves a child that holds its output", "hostile/leaves_a_child"),
    Attack("T30", "leaves a daemon", "daemon"),
    Attack("T31", "stops itself", "hostile/stops_itself"),
    Attack("T32", "ignores signals and stays", "hostile/stubborn"),
    Attack("T33", "never says hello", "mute"),
    Attack("T33", "does not answer the end of a game", "sulks"),
    Attack("T34", "a fork bomb", "hostile/bombs"),
    Attack("T34", "ten rabbits", "hostile/rabbit"),
    Attack("T35", "384 MiB of its own memory", "hostile/hogs anonymous", move_ms=5000),
    Attack("T35", "384 MiB of shared memory", "hostile/hogs shared", move_ms=5000),
    Attack("T35", "384 MiB in memory files", "hostile/hogs memfd", move_ms=5000),
    Attack("T35", "384 MiB in /dev/shm", "hostile/hogs file", move_ms=5000),
    Attack("T35", "384 MiB in children", "hostile/hogs children", move_ms=5000),
    Attack("T35", "384 MiB in sockets", "hostile/hogs_sockets", move_ms=5000),
    Attack("T36", "burns the core while others think", "hostile/ponders"),
    Attack("T37", "1,000 threads", "hostile/threads", move_ms=2000),
    Attack("T38", "96 MiB of files", "hostile/fills", move_ms=5000),
    Attack("T39", "sleeps for ever", "hangs"),
    Attack("T39", "loops for ever", "spins"),
    Attack("T57", "kills its keeper", "hostile/kills_keeper"),
    Attack("T62", "feigns that the host is busy", "hostile/claims_lag"),
    Attack("T46", "calls by the ABI x32", "hostile/other_abi x32"),
    Attack("T46", "calls by the ABI of i386", "hostile/other_abi i386"),
    Attack("T48", "litters in public places", "hostile/litters"),
    Attack("T49", "throws its game (no rule forbids)", "hostile/throws"),
    Attack("T50", "recalls what its last process left", "hostile/recalls", games=2),
)

ESCAPES = (
    Escape(
        "T40", "looks into other programs",
        ("list other programs", "read another's command line", "read another's environment",
         "read another's descriptors", "open another's memory", "copy another's memory",
         "take another's descriptor", "read its keeper's environment", "read its keeper's descriptors",
         "open its keeper's memory", "read the referee's environment"),
    ),
    Escape(
        "T41", "reads and writes foreign files",
        ("read the ledger", "write the ledger", "read another bot's program", "list the other bots",
         "change its own program", "read the operator's keys", "see that a foreign file is there",
         "write outside its folder"),
    ),
    Escape(
        "T42", "signals, traces and limits others",
        ("signal another", "stop another", "signal the referee", "signal its keeper", "leave its core",
         "take precedence", "trace another", "limit another",
         "limit the referee", "move another to a core", "make another nicer"),
    ),
    Escape(
        "T43", "talks to the network and to neighbours",
        ("reach a port of this machine", "have a way out", "ask for a name", "reach an abstract socket",
         "reach a socket by its path", "list the sockets of the machine"),
    ),
    Escape("T44", "has a service of this machine work for it", ("have a local service work for it",)),
    Escape(
        "T45", "gains privileges",
        ("gain by a setuid program", "be root", "make a setuid program"),
    ),
    Escape(
        "T46", "reaches deep into the kernel",
        ("io_uring", "bpf", "perf", "userfaultfd", "keyrings", "file handles", "compare processes",
         "a user namespace", "mount", "a socket to the host of this machine", "a socket to the kernel",
         "the kernel's log", "settings of the kernel"),
    ),
    Escape(
        "T47", "types on the operator's terminal",
        ("write on the operator's terminal", "type on its own terminal"),
    ),
    Escape(
        "T48", "tells a friend something in secret",
        ("see /tmp of the machine", "see /dev/shm of the machine", "attach shared memory", "lock a file of all"),
    ),
    Escape("T51", "finds the seed", ("find the seed",)),
)  # fmt: skip

NEVER = frozenset({"find the seed", "type on its own terminal"})
"""Attempts that must fail in mode `none`, too."""

_ARCHIVES = "arena/test_archives.py::"
_LEDGER = "arena/test_ledger.py::"
_RECORDS = "arena/test_records.py::"
_TABLES = "leaderboards/test_leaderboard_tables.py::"
_LAG = "referee/test_lag.py::"
OF_NAMESPACES = frozenset({"see that a foreign file is there"})
"""Attempts that filters alone do not stop."""

COVERED = (
    Covered(
        "T41", "a manifest that asks for foreign folders",
        ("referee/processes/test_readable.py::test_nothing_that_a_bot_says_leads_anywhere",
         "referee/processes/test_readable.py::test_of_a_home_only_what_holds_programs",
         "referee/processes/test_readable.py::test_no_secret_of_the_system_is_shown"),
    ),
    Covered(
        "T51", "no seed is told; ids and luck look unrelated",
        ("referee/test_match.py::test_no_message_holds_a_seed_the_planned_id_or_a_name",
         "referee/test_match.py::test_two_games_on_one_deal_look_unrelated_beforehand",
         "referee/test_match.py::test_the_commitment_binds_us_to_the_deal"),
    ),
    Covered(
        "T52", "what is hidden shows in no answer time",
        ("hostile/test_latency.py::test_how_soon_a_seat_is_asked_tells_nothing_of_what_is_hidden",
         "hostile/test_latency.py::test_a_planted_difference_is_found"),
    ),
    Covered(
        "T53", "what is hidden shows in no message",
        ("every_game/test_every_game_secrets.py::test_a_seat_is_shown_nothing_that_it_may_not_know",
         "referee/test_across_games.py::test_a_planted_leak_of_the_game_before_is_found",
         _RECORDS + "test_a_deal_with_a_game_to_come_is_held_back_and_the_seed_with_it"),
    ),
    Covered(
        "T54", "a sandbox that cannot be put on is no game",
        ("referee/test_evidence.py::test_a_sandbox_that_cannot_be_put_on_is_ours",
         "arena/test_isolation.py::test_strict_refuses_and_says_what_to_do",
         "arena/test_isolation.py::test_a_refusal_is_exit_3_before_anything_is_played",
         "arena/test_isolation.py::test_what_was_allowed_to_lack_is_in_the_record"),
    ),
    Covered(
        "T55", "a signal to a stranger with a bot's number",
        ("hostile/test_strangers.py::test_no_signal_goes_out_after_the_end_of_a_bot",
         "hostile/test_strangers.py::test_a_bots_signals_reach_its_own_processes_alone"),
    ),
    Covered(
        "T56", "the death signal follows a thread",
        ("referee/processes/test_kept.py::test_thread_that_started_a_bot_may_end",),
    ),
    Covered(
        "T57", "a referee, spawner or keeper is killed",
        ("e2e/test_machine.py::test_our_own_mistake_voids_the_game_and_is_no_fault_of_a_bot",
         "e2e/test_processes.py::test_keepers_killed", "e2e/test_processes.py::test_spawner_killed",
         "referee/test_evidence.py::test_a_lost_keeper_is_ours_where_the_bot_cannot_reach_it"),
    ),
    Covered(
        "T58", "the runner is killed at any instant",
        ("e2e/test_processes.py::test_runner_killed",
         "crash/test_crash.py::test_killed_at_any_change_or_commit_and_mutants_are_caught",
         _LEDGER + "test_what_a_dead_run_handed_out_returns_and_its_results_are_stale"),
    ),
    Covered("T59", "the power fails", (_LEDGER + "test_what_is_kept_is_on_the_disk",)),
    Covered(
        "T60", "the disk is full or fails",
        (_LEDGER + "test_a_batch_is_kept_whole_or_not_at_all",
         "e2e/test_machine.py::test_a_worker_without_a_place_for_its_bots_stops_the_run"),
    ),
    Covered("T61", "the machine sleeps in a move", (_LAG + "test_a_referee_that_was_stopped_charges_nobody_for_it",)),
    Covered(
        "T62", "the host starves a bot",
        (_LAG + "test_a_bot_that_the_host_starved_has_not_lost",
         _LAG + "test_a_bot_cannot_claim_what_its_own_processes_took",
         _LAG + "test_one_that_hangs_has_lost_whatever_the_host_does"),
    ),
    Covered(
        "T63", "another process holds the ledger's lock",
        ("hostile/test_locked.py::test_a_lock_that_is_soon_given_back_is_waited_for",
         "hostile/test_locked.py::test_a_lock_that_is_kept_stops_the_run_and_nothing_is_half_kept"),
    ),
    Covered(
        "T64", "two runners on one tournament",
        ("arena/test_home.py::test_a_second_run_is_kept_away",
         _LEDGER + "test_one_process_at_a_time_holds_a_tournament"),
    ),
    Covered(
        "T65", "a worker is lost",
        ("e2e/test_processes.py::test_worker_killed",),
    ),
    Covered(
        "T66", "a result late or twice",
        (_LEDGER + "test_a_late_result_of_a_worker_that_was_given_up_is_stale",
         _LEDGER + "test_a_result_that_comes_again_is_stale_and_differing_content_is_told",
         "arena/test_executor.py::test_what_comes_of_a_job_that_was_given_to_another_worker_is_stale"),
    ),
    Covered("T67", "a finished job is run again", (_LEDGER + "test_a_result_without_a_lease_is_stale",)),
    Covered(
        "T68", "a worker invents a result",
        (_RECORDS + "test_the_result_that_is_rated_is_the_records",
         "referee/test_replay.py::test_a_forged_action_is_found_at_its_number",
         "referee/test_replay.py::test_a_fault_left_out_changes_the_result"),
    ),
    Covered(
        "T69", "a byte of a record or row is changed",
        (_RECORDS + "test_one_bit_anywhere_in_a_packed_record_is_found",
         _RECORDS + "test_any_byte_of_any_line_that_changes_is_found",
         _RECORDS + "test_a_chain_made_anew_does_not_pass_through_an_old_head"),
    ),
    Covered(
        "T70", "an archive with tricks",
        tuple(
            _ARCHIVES + name
            for name in (
                "test_names_that_mean_harm_are_refused", "test_an_absolute_name_is_not_written_to",
                "test_names_that_some_system_takes_for_one_are_refused",
                "test_members_that_are_no_plain_files_are_refused", "test_limits_hold_to_the_file_and_to_the_byte",
                "test_a_bomb_is_refused_before_it_is_unpacked_whole",
            )
        ),
    ),
    Covered(
        "T71", "names that paint, link or compute",
        (_TABLES + "test_nothing_moves_the_cursor_in_any_view", _TABLES + "test_html_reads_back_and_has_no_foreign_tag",
         _TABLES + "test_csv_and_tsv_read_back_and_hold_no_formula",
         "arena/test_cli_outside.py::test_every_way_to_the_terminal_escapes",
         "arena/test_cli_outside.py::test_a_bots_name_is_refused"),
    ),
    Covered(
        "T72", "a manifest's words meant for a shell",
        ("hostile/test_words.py::test_no_word_of_a_manifest_reaches_a_shell",),
    ),
    Covered(
        "T72", "a build that steals",
        ("arena/test_building.py::test_a_build_reads_no_file_of_the_users_and_writes_only_its_own",
         "arena/test_building.py::test_a_build_sees_no_other_bot",
         "arena/test_building.py::test_a_build_has_settings_of_compilers_and_no_secret",
         "arena/test_building.py::test_a_build_reaches_ports_of_registries_and_in_strict_none"),
    ),
)  # fmt: skip

RIVALS = (
    Attack("drip", "an info line each 0.2 s, no move", "hostile/keeps_alive", move_ms=0, bank_ms=1000),
    Attack("silence", "never answers", "hangs", move_ms=0, bank_ms=1000),
    Attack("600 MB", "a line of 600 MB", "hostile/endless", move_ms=0, bank_ms=1000),
    Attack(
        "grandchild",
        "leaves a child that holds its output",
        "hostile/leaves_a_child",
        move_ms=0,
        bank_ms=1000,
    ),
)
"""What was measured of other runners, played with one second on the clock."""
