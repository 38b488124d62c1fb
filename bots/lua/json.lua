-- A JSON reader, and the writing of text: what Lua has not of its own.
--
-- Objects and arrays are tables, arrays from 1. Integers stay integers, all other numbers are floats. null is
-- `json.null` everywhere, so that an array has no holes; a missing field is nil. Reads what is JSON, and is
-- lenient with some that is not: its other end is the arena. Errors say the byte where they met.

local byte, char, find, format, sub = string.byte, string.char, string.find, string.format, string.sub

local json = {}

json.null = setmetatable({}, { __name = "null" })


local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local read -- by the first byte of a value: its reader, which returns the value and where the text goes on

local function fail(text, at)
  error(format("not JSON at byte %d: %s", at, sub(text, at, at + 20)), 0)
end

-- Where the next thing begins. The arena sends no spaces: mostly that is here.
local function skip(text, at)
  local here = byte(text, at)
  if here and here > 32 then
    return at
  end
  return find(text, "[^ \t\r\n]", at) or fail(text, #text)
end

local function read_value(text, at)
  local reader = read[byte(text, at)] or fail(text, at)
  return reader(text, at)
end

-- The character of the escape whose backslash is at `at`, and where the text goes on.
local function unescape(text, at)
  local letter = sub(text, at + 1, at + 1)
  if letter ~= "u" then
    return ESCAPES[letter] or letter, at + 2
  end
  local code = tonumber(sub(text, at + 2, at + 5), 16) or fail(text, at)
  if code < 0xD800 or code > 0xDBFF then
    return utf8.char(code), at + 6
  end
  local low = tonumber(sub(text, at + 8, at + 11), 16) or fail(text, at) -- the other half of the pair
  return utf8.char(0x10000 + (code - 0xD800) * 0x400 + low - 0xDC00), at + 12
end

local function read_string(text, at)
  local from, pieces = at + 1, nil
  while true do
    local stop = find(text, '["\\]', from) or fail(text, at)
    local plain = sub(text, from, stop - 1)
    if byte(text, stop) == 34 then -- the closing quote
      return pieces and table.concat(pieces) .. plain or plain, stop + 1
    end
    pieces = pieces or {}
    pieces[#pieces + 1] = plain
    pieces[#pieces + 1], from = unescape(text, stop)
  end
end

local function read_number(text, at)
  local _, last = find(text, "^[-+.eE%d]+", at)
  return tonumber(sub(text, at, last)) or fail(text, at), last + 1
end

local function read_array(text, at)
  local array, count = {}, 0
  at = skip(text, at + 1)
  if byte(text, at) == 93 then -- ]
    return array, at + 1
  end
  while true do
    count = count + 1
    array[count], at = read_value(text, at)
    at = skip(text, at)
    local mark = byte(text, at)
    if mark ~= 44 then -- comma
      return mark == 93 and array or fail(text, at), at + 1
    end
    at = skip(text, at + 1)
  end
end

local function read_object(text, at)
  local object, key = {}, nil
  at = skip(text, at + 1)
  if byte(text, at) == 125 then -- }
    return object, at + 1
  end
  while true do
    key, at = read_string(text, at)
    at = skip(text, at)
    at = byte(text, at) == 58 and skip(text, at + 1) or fail(text, at) -- colon
    object[key], at = read_value(text, at)
    at = skip(text, at)
    local mark = byte(text, at)
    if mark ~= 44 then
      return mark == 125 and object or fail(text, at), at + 1
    end
    at = skip(text, at + 1)
  end
end

local function word(spelling, value)
  return function(text, at)
    local last = at + #spelling - 1
    if sub(text, at, last) ~= spelling then
      fail(text, at)
    end
    return value, last + 1
  end
end

read = {
  [byte('"')] = read_string,
  [byte("[")] = read_array,
  [byte("{")] = read_object,
  [byte("-")] = read_number,
  [byte("t")] = word("true", true),
  [byte("f")] = word("false", false),
  [byte("n")] = word("null", json.null),
}
for digit = byte("0"), byte("9") do
  read[digit] = read_number
end

-- The value that `text` holds. An error where it is not JSON.
function json.decode(text)
  return (read_value(text, skip(text, 1)))
end

local function escape(odd)
  return byte(odd) < 32 and format("\\u%04x", byte(odd)) or "\\" .. odd
end

-- `text` as a JSON string.
function json.quote(text)
  return '"' .. text:gsub('[\0-\31"\\]', escape) .. '"'
end

return json
