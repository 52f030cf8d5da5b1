# frozen_string_literal: true

# The kit as a package: `gem build maumau-kit.gemspec && gem install maumau-kit-0.1.0.gem` in this folder.
Gem::Specification.new do |gem|
  gem.name = "maumau-kit"
  gem.version = "0.1.0"
  gem.summary = "What a bot needs to play in the Mau-Mau arena"
  gem.authors = ["The maumau authors"]
  gem.licenses = ["MIT", "Apache-2.0"]
  gem.files = ["maumau.rb", "maumau.rbs"]
  gem.require_path = "."
  gem.required_ruby_version = ">= 3.0"
end
