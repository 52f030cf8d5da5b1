-- Plays the first legal action. Lua 5.1 or later with dkjson (Debian: lua-dkjson).
--
--     lua5.4 first.lua

local json = require "dkjson"

-- Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
local function choose(ask)
  return ask.legal[1]
end

local function answer(message)
  io.write(json.encode(message), "\n")
  io.flush() -- the arena waits for each line
end

local on = {}

function on.hello(hello)
  if not (hello.protocol .. "."):find("^maumau/1%.") then
    io.stderr:write("first.lua speaks maumau/1 and the arena ", hello.protocol, "\n")
    os.exit(2)
  end
  answer { type = "ready", protocol = "maumau/1", name = "first.lua", games = 64 }
end

function on.ask(ask)
  local act = { type = "act", game = ask.game, id = ask.id }
  for member, value in pairs(choose(ask)) do
    act[member] = value
  end
  answer(act)
end

function on.fault(fault)
  io.stderr:write(json.encode(fault), "\n")
end

function on.bye()
  os.exit()
end

for line in io.lines() do
  local message = json.decode(line)
  local handler = on[message.type] -- none: a message of a later version, or one that says nothing to this bot
  if handler then
    handler(message)
  end
end
