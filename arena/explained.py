"""What `arena explain` tells of each code that an error is raised with (see `arena.errors`)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `arena explain` tells of a code."""

    title: str
    cause: str
    cure: str


EXPLAINED = {
    "E000": Explanation(
        "What was asked does not hold",
        "The command came to its end, and the answer is no.",
        "The message says what was found.",
    ),
    "E200": Explanation(
        "Wrong command line",
        "An option or an argument means nothing here, or names something that does not exist.",
        "Look at the command's examples with --help.",
    ),
    "E201": Explanation(
        "A file cannot be read",
        "There is no file of that name, it may not be read, it is not UTF-8 text, or it has more than 1 MiB.",
        "Check the path. `arena init cup.toml` writes a new tournament file.",
    ),
    "E202": Explanation(
        "Not TOML",
        "The file breaks the grammar of TOML: often a text without quotes, a list without its bracket, or a "
        "key that stands twice.",
        "Mend the line that is shown. The grammar is at https://toml.io.",
    ),
    "E203": Explanation(
        "A wrong key or value in a tournament file",
        "A key is unknown or missing, or a value has the wrong type or is out of its range.",
        "Mend each line that is named; `arena config check FILE` checks again without playing. "
        "`arena schema tournament` has every key, and gives an editor what it needs to complete them.",
    ),
    "E204": Explanation(
        "No such tournament",
        "The ledger of this home folder has no tournament of that name. One begins when `arena run` plays its "
        "file, and it is named by `name` in that file, else by the file's own name.",
        "`arena status` lists what there is. With --home or KINGMAKER_HOME another ledger is read.",
    ),
    "E205": Explanation(
        "No such game",
        "No game in the ledger has an id that begins so, or several have.",
        "`arena record list TOURNAMENT` shows ids; give more digits of one.",
    ),
    "E206": Explanation(
        "The file is there already",
        "Nothing is overwritten that you may have edited.",
        "Choose another name, or add --force.",
    ),
    "E207": Explanation(
        "No games of that variant",
        "The tournament has no finished game of a variant that the pattern means.",
        "`arena status TOURNAMENT` lists its variants and how many games of each are over.",
    ),
    "E208": Explanation(
        "No such code",
        "Codes are an E and three digits, as error messages show them.",
        "`arena explain` lists all.",
    ),
    "E209": Explanation(
        "A file cannot be written",
        "Its folder is not there or may not be written, or the disk is full. What was there before is as it was.",
        "Make the folder, make room, or choose another path.",
    ),
    "E210": Explanation(
        "No such bot",
        "The name belongs neither to a bot that was added nor to one of the house's. A path is told from a "
        "name by a / in it, or by .py at its end.",
        "`arena bot list` shows all names. A folder here is written ./mybot. A version that `arena bot prune` has let "
        "go is taken in again from the same files.",
    ),
    "E211": Explanation(
        "The files of a bot are gone",
        "The ledger knows this version, but its folder under the home folder was removed.",
        "Add the bot again from the same files: `arena bot add PATH`.",
    ),
    "E212": Explanation(
        "A bot's manifest is missing or wrong",
        "A bot is a folder with a bot.toml, or one script. In bot.toml a key is unknown or missing, or a value "
        "has the wrong type.",
        "It needs at least a `name` and the command `run`; `arena schema bot` has every key.",
    ),
    "E213": Explanation(
        "A bot's files cannot be taken in",
        "A bot is made of regular, readable files only: no links, pipes, sockets or devices, under names that "
        "every system can have, and not more than the limit that the message names. They must not change while "
        "they are taken in.",
        "Replace links by what they point to, rename what the message names, and leave data and build products "
        "out.",
    ),
    "E214": Explanation(
        "A bot does not play a variant",
        "The `games` of its bot.toml leave out a variant of this tournament.",
        "Take the bot or the variant out of the tournament, or change `games` if the bot knows the rules.",
    ),
    "E215": Explanation(
        "Two bots that cannot be told apart",
        "In a tournament each bot has a name of its own, and the same files take part once.",
        "Give one of them another `name` in its bot.toml.",
    ),
    "E216": Explanation(
        "Too few bots for a variant",
        "Everybody who sits at a table is a different bot (or a team of one bot), so a variant needs as many "
        "bots as it has sides.",
        "Add bots, or leave that variant out.",
    ),
    "E217": Explanation(
        "A begun tournament was changed",
        "Games that were played under one clock, seed, bot version or seating cannot be compared with games "
        "under another. Bots, variants and deals may be added, and [schedule] and [stop] changed, since that only adds "
        "games; but the rounds of a Swiss or knockout hang on all that was played, so nothing of that may change there.",
        "Put the key back, or give the changed tournament another name: it then begins anew.",
    ),
    "E218": Explanation(
        "A house's bot cannot be removed",
        "Bots that come with the arena are always there; they play only where they are named.",
        "Leave it out of your tournament files. A bot of your own under the same name takes its place.",
    ),
    "E219": Explanation(
        "No such variant",
        "A variant is named by its id, an alias, or a pattern that ids match. An id has one way to be written: "
        "letters in the order of the table, options in theirs, and none that is a default.",
        "`arena variants` lists all ids and aliases, `arena games GAME` the options of a game.",
    ),
    "E220": Explanation(
        "A deal that does not fit",
        "A literal deal names every card of the variant's deck once, in the order in which they are dealt.",
        "Mend the cards that are named. `arena replay GAME --step 0` shows a deal.",
    ),
    "E221": Explanation(
        "A record cannot be read",
        "There is no file of that name, or it may not be read.",
        "Check the path. A game in the ledger is named by the first digits of its id, without a / in it.",
    ),
    "E222": Explanation(
        "A record that cannot be played on",
        "It is no record, or of rules that this version does not have, or what it says from here on is not "
        "possible.",
        "`arena verify` says all that does not hold. A record in the ledger is repaired from a copy only.",
    ),
    "E223": Explanation(
        "Not just one game of an export",
        "An export has many games, and one was asked for.",
        "Say which with --game and the first digits of its id; each line of the file has one.",
    ),
    "E224": Explanation(
        "--game without an export",
        "The option says which game of a file is meant, but what is named is a game itself.",
        "Leave one of the two out.",
    ),
    "E225": Explanation(
        "No such step or seat",
        "Steps go from 0, the deal, to the number of actions; seats from 0.",
        "Choose within the range of the message; `arena record show` numbers the actions.",
    ),
    "E226": Explanation(
        "No games of that bot",
        "The tournament has no finished game of a bot of that name.",
        "`arena status TOURNAMENT` lists its bots. One version is name@digest.",
    ),
    "E227": Explanation(
        "A deal that is not over",
        "A record shows all cards, and the tournament has games to come with the same ones: who has seen them "
        "can tell a bot. `arena record export` holds such games back for the same reason.",
        "Let the tournament end, or add --anyway where nobody can profit by it.",
    ),
    "E228": Explanation(
        "An archive that is not unpacked",
        "It is damaged, or something in it is not as it should be: a bot's archive has regular files only, each "
        "under one name that stays in its folder and means the same file on every system, and keeps to limits "
        "that no bot's sources reach. Nothing of it was kept.",
        "Mend what the message names and pack the bot's folder anew: tar czf mybot.tar.gz mybot",
    ),
    "E229": Explanation(
        "No kit for a language",
        "`arena bot new` copies the kit of a language, and there is none for this one.",
        "`arena bot new --help` lists the languages. A program in any other can play over standard input and "
        "output, or over a bare socket; see docs/bare-socket.md.",
    ),
    "E230": Explanation(
        "A bot asks for more than it is given",
        "In the table [limits] of its bot.toml a bot says what it can't do without: milliseconds to start and for "
        "a move, or memory. The tournament's clock or the machine gives less.",
        "Give more under [clock], leave the bot out, or ask for less in its bot.toml.",
    ),
    "E231": Explanation(
        "The number of bots is not that of the seats",
        "Name one bot for each seat, in their order; where seats play in teams, one for each team will do.",
        "`arena variants` has the players of each variant. The house's `random` fills seats.",
    ),
    "E232": Explanation(
        "A bot does not play that variant",
        "The `games` of its bot.toml leave it out.",
        "Choose another variant, or change `games` if the bot knows the rules.",
    ),
    "E233": Explanation(
        "No deal to read",
        "--deal takes the cards themselves, apart by spaces or commas, or @ and the name of a file with them.",
        "`arena replay GAME --step 0` shows a deal; a record has one in `cards`.",
    ),
    "E234": Explanation(
        "A variant that no knockout is played in",
        "In a match of a knockout one bot is out. That takes variants with two sides of one bot each.",
        'Leave the variant out, set partners = "same", or choose another kind under [schedule].',
    ),
    "E239": Explanation(
        "Bots that a schedule cannot go by",
        "`bots` in [schedule] are the challengers of a gauntlet, newcomers, or the bot whose rank is asked; each must be "
        "one of the tournament's bots, by the name that its bot.toml gives it, and named once. With missing_bots = "
        '"leave_out" one at least must be there. A gauntlet needs others, too: one challenger sits in each game.',
        "Use a name that the message lists, or add the bot to `bots` of the tournament.",
    ),
    "E244": Explanation(
        "A bot compared with itself",
        "Both names mean the same files, so there is nothing to find out.",
        "`arena bot show NAME` lists the versions of a name; one of them is written name@digest. A folder that is not "
        "added yet is named by its path: `arena compare ./mybot mybot`.",
    ),
    "E245": Explanation(
        "Opponents that are too few, or that nobody needs",
        "In games of three and four who play for themselves, others fill the table beside the two that are compared: "
        "one more in games of three, two in games of four. In games of two sides nobody else sits.",
        "Name them with --opponents greedy,random, or leave the option out.",
    ),
    "E246": Explanation(
        "A test that cannot be made",
        "`arena compare` tells two mean scores apart, so the first lies below the second; it errs with given "
        "chances, and it needs the games of one round at least.",
        "Leave out what you do not need to change: --s0 0.50 --s1 0.55 --alpha 0.05 --beta 0.05 --max-games 20000.",
    ),
    "E247": Explanation(
        "An export does not hold together",
        "Each line of an export has a value that hangs on all lines before it, and the last line counts the records and "
        "has an entry of each. Here a line was changed, added, moved or lost, or the file is cut off or no export at all, "
        "so nothing is rated.",
        "`arena verify FILE` says all that is wrong; `arena record export TOURNAMENT -o FILE` writes it anew.",
    ),
    "E248": Explanation(
        "No such anchor",
        "--anchor names the bot that is given a fixed rating. It must be one of those that are rated, and have rated games "
        "of every variant that is shown: without them nothing there compares with it. Where several versions go by one "
        "name, say which: NAME@DIGITS of its digest, as the table shows it.",
        "Name a bot of the table, or choose variants that it has played with --variant.",
    ),
    "E240": Explanation(
        "A budget that is too small",
        "Finals and adaptive schedules begin with `deals` deals for meetings of everybody, and choose what to play by what "
        "these show: [stop] has no more games than that takes, so nothing would be chosen. Where all meet on the same "
        "deals, it has too few for a single one of them.",
        "Give `games` in [stop] more, or the tournament fewer `deals`. A bot that joins has its part to play, too.",
    ),
    "E268": Explanation(
        "Not the text of a record",
        "A file of KGN, the text form of records, cannot be read on at the line that is named. It is strict, so that one "
        "text means one record: every field once, texts in quotation marks, numbers before moves that count them.",
        "Do what the message says, or write the text anew: arena record show ID > game.kgn. The grammar is in docs/records.md.",
    ),
    "E269": Explanation(
        "A record without a text form",
        "KGN gives the fields of a play in one order, and hashes hang on it. This record has them in another, so that what "
        "would be read back is another record. kingmaker makes none like that.",
        "Keep it as JSON: arena record show FILE --json.",
    ),
    "E270": Explanation(
        "A text of games is nothing to rate",
        "KGN has games, one after the other. What a table hangs on besides stands in an export as JSON Lines alone: the "
        "tournament's settings and bots, and a chain that tells that no game is missing.",
        "Write an export: arena record export TOURNAMENT -o cup.jsonl.",
    ),
    "E260": Explanation(
        "The port cannot be had",
        "`arena serve` listens at one port of an address, and another program has it, or this user may not take it.",
        "Take another with --port, or --port 0 for one that is free.",
    ),
    "E261": Explanation(
        "There is no such address here",
        "--bind names where to listen, and that must be an address of this machine.",
        "Leave it out for this machine alone; 0.0.0.0 is every address of it.",
    ),
    "E262": Explanation(
        "A wrong key or value in a cluster file",
        "A key of [cluster] is unknown or missing, has the wrong type, or contradicts another: `address` and [cluster.tls] "
        'go with kind = "address" alone, which starts no workers and so has neither a number of them nor options; any '
        "other kind but ssh needs `workers`, or `minimum` and `maximum`.",
        "Mend each line that is named; docs/clusters.md has every key.",
    ),
    "E263": Explanation(
        "No such cluster",
        "--cluster takes local:N, the address of a Dask scheduler (tcp://host:port, tls://host:port), or the path of a "
        "cluster file, and this is none of them.",
        "Check the path. `arena run cup.toml --cluster local:2` needs nothing else.",
    ),
    "E265": Explanation(
        "Too little to draw",
        "A picture needs games that are rated: one of places needs two deals, one of luck thirty mirrored blocks, one "
        "of ratings two moments, one of thinking times a move that was timed. The message says what is missing.",
        "Play more of the tournament, or choose another variant or picture. `arena status TOURNAMENT` says how far it is.",
    ),
    "E266": Explanation(
        "A picture that cannot be drawn so",
        "Its format is said by the file's ending (.svg, .pdf, .png) or by --format, and neither did; or it would have "
        "more pixels in a line than can be drawn.",
        "Write -o FILE.svg, or --format svg where it goes to stdout. Fewer bots are drawn with --top, fewer pixels with --dpi.",
    ),
    "E267": Explanation(
        "No such kind of frame",
        "`arena.results` gives frames of pandas or of polars.",
        'Say frame="pandas" or frame="polars", or leave it out: then it is the one that is installed, pandas first.',
    ),
    "E250": Explanation(
        "A folder that is no site's",
        "`arena site build` writes a folder anew, and takes the place of nothing but a site that it has written itself: its "
        "list of files, .kingmaker-site, names everything there. Here is something else in it, which would be lost.",
        "Name a folder of its own with -o, one that is not there yet for example; or move what the message names.",
    ),
    "E300": Explanation(
        "A program cannot be started",
        "All is valid, but something that must run does not.",
        "`arena doctor` tests what the arena needs.",
    ),
    "E301": Explanation(
        "A bot does not start",
        "It ended, or said something else, or said nothing, before its `hello`. What it printed on stderr is "
        "shown: often a module or library that is not installed, or a wrong path in `run`.",
        "Try it alone with `arena bot check`. If it only needs longer: `startup_ms` under [limits] "
        "of its bot.toml is heeded by `bot add`, `bot check` and `play`, that under [clock] of a tournament in its "
        "games.",
    ),
    "E302": Explanation(
        "A bot that is added makes a fault",
        "Before a bot is kept it is started and plays a game of each number of players. It made a fault, which "
        "the message shows; nothing of it was kept.",
        "`arena bot check PATH` tries more of it; `arena bot add --no-check` keeps it as it is.",
    ),
    "E303": Explanation(
        "Bots cannot be kept apart as wished",
        "`--sandbox strict` needs every layer that SECURITY.md names: namespaces, Landlock, a filter of system calls, "
        "and control groups (version 2) for memory and processes. One of them is not to be had on this machine. Or "
        "the arena is run by root where there are no namespaces: there `default` is refused, too, since a bot would "
        "stay root.",
        "Mend what the message names, use `--sandbox default`, or run with --allow-missing LAYERS: every record and "
        "every leaderboard then says which were missing. Root needs namespaces for any of that: without them run the "
        "arena as an ordinary user.",
    ),
    "E310": Explanation(
        "A bot's build fails",
        "The command `build` of its bot.toml could not be run, took too long, wrote too much, or ended with an error; "
        "or it has changed a file that was handed in, or left what cannot be kept: a pipe, a device, a socket, a "
        "hard link to a file elsewhere, or folders nested without end. Nothing of the bot was kept.",
        "Run the same command in the bot's folder. `arena doctor` says which compilers and headers are missing. A "
        "file that the build rewrites, as those of locked versions, is handed in as the build leaves it.",
    ),
    "E311": Explanation(
        "A field that cannot be simulated",
        "`arena simulate` needs to know how strong each bot is (--bots and --spread, --strengths, or --like), what it "
        "costs (--costs), and how much luck and how many ties there are. What was said contradicts itself, is no "
        "field (all are equal), or no ratings come of it.",
        "The message names the option. `arena simulate --bots 20 --spread 75% --games 8000` is one that works.",
    ),
    "E312": Explanation(
        "A schedule that cannot be simulated",
        "There is no such schedule, or nothing ends it: `finals`, `adaptive` and `quality` go on until a rule of "
        "[stop] is fulfilled, and a limit in minutes means nothing where no bot costs any time. Or it ends before every "
        "bot has played; or `quality` is asked for, which pairs two, and more of them sit at a table.",
        "Take one of the names in the message; add --games, or rules under [stop] of the tournament file; choose another "
        "--variant.",
    ),
    "E313": Explanation(
        "Nothing to take strengths from",
        "--like takes strengths, ties and luck from the leaderboard of a tournament that has been played. It has not "
        "two bots that played every variant, or no games of a variant that is to be simulated.",
        "Play more of it, choose its variants with --variant, or say --spread, --luck and --draws yourself.",
    ),
    "E320": Explanation(
        "The web server is not installed",
        "`arena serve` needs Starlette and uvicorn, which are an extra.",
        "pip install 'kingmaker[web]'",
    ),
    "E321": Explanation(
        "A site cannot be built",
        "`arena serve` builds the pages of a tournament as `arena site build` does, and that failed. Pages that were "
        "built before are served on; it is tried again.",
        "Run `arena site build` yourself to see all that it says.",
    ),
    "E323": Explanation(
        "matplotlib is not installed",
        "`arena plot` draws with it, and it comes as an extra, since it is large and nothing else needs it.",
        "pip install 'kingmaker[plot]'",
    ),
    "E324": Explanation(
        "No frames",
        "`arena.results` gives a frame of pandas or polars, and the one that is asked for, or both, are not installed.",
        "pip install pandas, or pip install polars.",
    ),
    "E330": Explanation(
        "What clusters need is not installed",
        "`--cluster` needs dask.distributed and cryptography, which are an extra.",
        "pip install 'kingmaker[cluster]'",
    ),
    "E331": Explanation(
        "A cluster cannot be reached or started",
        "No scheduler answers at the address, it speaks TLS and the address says tcp:// (or the other way round), its "
        "keys are not signed by the same authority or are not named, or what starts the workers reports an error.",
        "Is `dask scheduler` running there, and may this machine reach its port? docs/clusters.md goes through keys step "
        "by step.",
    ),
    "E332": Explanation(
        "No worker can play",
        "No worker has come in `wait_seconds`, or each was refused: another version of kingmaker or of Python, other rules, "
        "no sandbox as the runner has one, a bot that does not build or start there, a core that is too slow or too "
        "loaded to time moves on. The message has each with its reason.",
        "Mend the workers, then run again: it goes on.",
    ),
    "E333": Explanation(
        "What starts the workers is not installed",
        "Kinds of clusters other than local, ssh and address are packages of their own: dask-jobqueue for slurm, pbs, "
        "sge, lsf, oar and htcondor, dask-kubernetes for kubernetes; ssh needs asyncssh. A class of your own needs Dask's "
        "interface of a cluster, `adapt` above all.",
        "Install what the message names, or mend `kind`.",
    ),
    "E340": Explanation(
        "PettingZoo is not installed",
        "`arena.rl.aec_env` makes environments of PettingZoo, which is an extra; so is what it needs, gymnasium.",
        "pip install 'kingmaker[rl]'",
    ),
    "E341": Explanation(
        "OpenSpiel is not installed",
        "`arena.rl.load_game` makes games of OpenSpiel, which is an extra, and a large one.",
        "pip install 'kingmaker[rl]'",
    ),
    "E400": Explanation(
        "Storage fails",
        "Something that must be kept cannot be kept.",
        "Look for space and rights; whatever was reported as kept is safe.",
    ),
    "E401": Explanation(
        "The home folder cannot be written",
        "It is on a read-only disk, belongs to somebody else, or a part of its path is a file.",
        "Choose another with --home FOLDER or KINGMAKER_HOME.",
    ),
    "E402": Explanation(
        "No folder for sockets",
        "Bots talk over sockets in the folder for temporary files, and that cannot be written.",
        "Set TMPDIR to a folder that can be, with a short path.",
    ),
    "E403": Explanation(
        "A ledger of a newer version",
        "A newer version of this program wrote it. It is never guessed at, and was not changed.",
        "Use the program that wrote it, or another home folder.",
    ),
    "E404": Explanation(
        "The ledger fails",
        "The database or the disk under it reports an error: no space, no rights, or damage.",
        "Mend that, then give the same command again. Games that were reported as kept are kept.",
    ),
    "E410": Explanation(
        "A referee worker cannot go on",
        "A process that plays games found no memory, no process, no descriptor or no place for its sockets.",
        "Mend what the message names (ulimit -a shows limits), then run the same command again: it goes on.",
    ),
    "E405": Explanation(
        "The results cannot be rated",
        "Results of the ledger contradict each other, or a rating does not settle: the ledger was changed by "
        "something else than this program, or this is a mistake of the program.",
        "Check the tournament with `arena verify`, and report it if nothing is found.",
    ),
    "E406": Explanation(
        "A file cannot be written",
        "The folder is not there or may not be written, or the disk is full. Nothing half-written was left.",
        "Choose another place, or make room.",
    ),
    "E407": Explanation(
        "A record in the ledger is damaged",
        "The database holds something that is no record: the disk, or something else than this program, "
        "changed it.",
        "`arena verify TOURNAMENT` names every game that does not hold. Take the ledger from a copy.",
    ),
    "E408": Explanation(
        "The arena failed in a game",
        "A mistake of the referee, not of a bot; the game counts for nothing. It was tried three times.",
        "Report it with the traceback that is shown.",
    ),
    "E409": Explanation(
        "The ledger is damaged",
        "The file is no database any more, or parts of it contradict each other: the disk, or something else than "
        "this program, changed it. Nothing is played on top of that.",
        "Restore ledger.sqlite, and the files ledger.sqlite-wal and -shm beside it, from a copy. With the sqlite3 "
        "program, `sqlite3 ledger.sqlite .recover | sqlite3 new.sqlite` saves what can still be read; "
        "`arena verify TOURNAMENT` says what of it holds.",
    ),
    "E418": Explanation(
        "The scheduler of a cluster is gone",
        "It ended, or the network to it is down, in the middle of a run. Every game that was reported as kept is kept.",
        "Start it again, then give the same command: what is missing is played.",
    ),
    "E411": Explanation(
        "The server of the ledger cannot be reached",
        "The ledger is in PostgreSQL, and its server is gone, does not let you in, or went away in the middle, or it "
        "ended the session that said that you run a tournament, so that somebody else might do so. What was "
        "reported as kept is on its disk; what was under way is played again.",
        "Try psql with the same address. Passwords come from ~/.pgpass, PGPASSWORD or the address; docs/postgres.md has "
        "what a server and a role need. Then give the same command again: it goes on.",
    ),
    "E412": Explanation(
        "No address of a ledger",
        "--ledger or KINGMAKER_LEDGER is neither a path nor an address as libpq, the library of PostgreSQL, takes it: "
        "postgresql://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full, all but the scheme optional. The message does "
        "not repeat it, as it may hold a password.",
        "In a name or password write %40 for @, %2F for /, %3A for :, %3F for ?, %23 for #, %25 for %. Better, leave the "
        "password out, and put it into ~/.pgpass.",
    ),
    "E413": Explanation(
        "The driver of PostgreSQL is not installed",
        "A ledger on a server needs psycopg, which is an extra.",
        "pip install 'kingmaker[postgres]'",
    ),
    "E414": Explanation(
        "A ledger cannot be copied so",
        "`arena ledger copy` copies a ledger that is there to a place where none is, or an empty one: two are never mixed.",
        "Name a file that is not there yet, or a new database.",
    ),
    "E415": Explanation(
        "A ledger that does not hold is not copied",
        "Each tournament has a chain over its games, which finds out what was changed or lost. One of this ledger's breaks, "
        "so nothing was copied.",
        "`arena verify TOURNAMENT` says all that is wrong. Restore the ledger from a copy.",
    ),
    "E419": Explanation(
        "A ledger that may need bots cannot be read",
        "`arena bot prune` removes no files that another ledger of the home needs. The file `ledgers` in the home folder "
        "names those that have used its bots; one of them is not there, or its server lets nobody in.",
        "Put it back, or give its password by PGPASSWORD or ~/.pgpass. Where it is gone for good, take its line out of the "
        "file `ledgers`.",
    ),
    "E500": Explanation(
        "Somebody else is at it",
        "Another process holds the lock of what this command would change.",
        "Wait for it.",
    ),
    "E501": Explanation(
        "The tournament is being run",
        "One process at a time plays a tournament. The lock goes with the process that holds it, however that "
        "ends, so there is never a stale one to remove.",
        "Watch it with `arena watch`, or end it: the next run goes on where it stopped.",
    ),
}
"""Every code that is raised, with what there is to know about it."""
