# frozen_string_literal: true

# my-bot: a bot for the Mau-Mau arena. README.md has the commands.

require_relative "maumau"

class MyBot < Maumau::Bot
  def choose(ask)
    # Think here. Each entry of ask[:legal] is a whole answer; ask[:view] is the position.
    plays = ask[:legal].select { |action| action[:do] == "play" }
    plays.max_by { |action| Maumau.card_points(action[:card]) } || ask[:legal].first # the dearest card first
  end
end

Maumau.run(name: "my-bot", games: 64) { MyBot.new } if $PROGRAM_NAME == __FILE__
