-- The Lua kit: give `run` a table with a function `choose`.
--
--     local kingmaker = require "kingmaker"
--
--     kingmaker.run {
--       choose = function(turn)
--         return turn.legal[1]
--       end,
--     }
--
-- Messages are tables, as protocol/SPEC.md describes them. A bot may have these fields:
--
--     choose(turn)      one of turn.legal; or that and a note of at most 200 characters for the record
--     started(start)    a game begins: forget the last one. math.random is seeded with its bot_seed
--     ended(end_)       a game is over
--     no_events = true  it plays from the view alone: it is told no events, and its turns are cheaper
--
-- An error that leaves a function ends the process with its trace in the log, and costs the game. Needs
-- Lua 5.4 and nothing else.

local json = require "json"

local SDK = "kingmaker-lua/1"

local kingmaker = { null = json.null }

local function stop(...)
  io.stderr:write(string.format(...), "\n")
  os.exit(1)
end

local function environment()
  for _, name in ipairs { "ARENA_ENDPOINT", "ARENA_TOKEN" } do
    if not os.getenv(name) then
      stop("%s is not set: a bot is started by the arena (try: arena play . random)", name)
    end
  end
  if os.getenv "ARENA_ENDPOINT" ~= "stdio:" then
    stop 'this kit talks over stdio: write transport = "stdio" in bot.toml'
  end
  return os.getenv "ARENA_TOKEN"
end

-- What the bot says first.
local function hello(bot, token)
  local features = bot.no_events and ',"features":["no_events"]' or ""
  local first = '{"type":"hello","protocol":[1],"token":%s,"sdk":%s%s}'
  return first:format(json.quote(token), json.quote(SDK), features)
end

local function ready(message)
  return '{"type":"ready","game_id":' .. json.quote(message.game_id) .. "}"
end

local function is_legal(action, legal)
  for _, other in ipairs(legal) do
    if action == other then
      return true
    end
  end
  return false
end

-- What the bot replies, by the type of the message; nil: it is to exit.
local replies = {}

function replies.start(bot, start)
  local seed = start.bot_seed
  math.randomseed(tonumber(seed:sub(1, 16), 16), tonumber(seed:sub(17), 16))
  if bot.started then
    bot.started(start)
  end
  return ready(start)
end

function replies.turn(bot, turn)
  local action, note = bot.choose(turn)
  if not is_legal(action, turn.legal) then -- sent all the same: the referee is the judge
    io.stderr:write("not legal: ", tostring(action), "; legal: ", table.concat(turn.legal, " "), "\n")
  end
  local move = '{"type":"move","game_id":%s,"turn":%d,"action":%s%s}'
  local noted = note and ',"note":' .. json.quote(note) or ""
  return move:format(json.quote(turn.game_id), turn.turn, json.quote(action), noted)
end

replies["end"] = function(bot, end_)
  if bot.ended then
    bot.ended(end_)
  end
  return ready(end_)
end

function replies.bye() end

function replies.error(_, message)
  stop("arena: %s at %s: %s", message.code, message.path, message.detail)
end

-- Plays until the arena says `bye` or closes the input. Ends the process, with its text on stderr and exit
-- code 1, where the arena reports an error or did not start it.
function kingmaker.run(bot)
  local reply = hello(bot, environment())
  while reply do
    io.write(reply, "\n")
    io.flush()
    local line = io.read()
    local message = line and json.decode(line) or { type = "bye" } -- the end of the input
    local answer = replies[message.type] or stop("arena: a message of type %s is not known", message.type)
    reply = answer(bot, message)
  end
end

return kingmaker
