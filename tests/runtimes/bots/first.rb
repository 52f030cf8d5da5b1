require "json"
$stdout.sync = true
while (line = $stdin.gets)
  message = JSON.parse(line)
  case message["type"]
  when "hello"
    puts JSON.generate({ type: "ready", protocol: "maumau/1", name: "ruby", wants: ["legal"] })
  when "ask"
    act = { type: "act", game: message["game"], id: message["id"] }
    puts JSON.generate(act.merge(message["legal"][0]))
  when "bye"
    exit
  end
end
