-- No library: the first legal action is the first {...} after "legal":[ , and holds at most one object itself.
io.stdout:setvbuf("line")
for line in io.lines() do
  local kind = line:match('"type":"(%a+)"')
  if kind == "hello" then
    print('{"type":"ready","protocol":"maumau/1","name":"lua","wants":["legal"]}')
  elseif kind == "ask" then
    local action = line:match('"legal":%[(%b{})')
    print('{"type":"act","game":' .. line:match('"game":("[^"]*")') .. ',"id":' .. line:match('"id":("[^"]*")') .. "," .. action:sub(2))
  elseif kind == "bye" then
    break
  end
end
