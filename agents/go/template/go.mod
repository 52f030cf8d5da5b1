module bot

go 1.19

require maumau v0.0.0

replace maumau => ./maumau
