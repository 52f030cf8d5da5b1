# frozen_string_literal: true

# Feeds the bot a recorded game: lines.jsonl is what the arena sent a player of game.jsonl.

require_relative "bot"

answers = Maumau.rehearse(File.readlines("#{__dir__}/lines.jsonl")) { MyBot.new }
raise "no asks" if answers.empty?

answers.each { |ask, action| raise "#{action} is not legal" unless ask[:legal].include?(action) }
puts "#{answers.length} answers, all of them legal"
