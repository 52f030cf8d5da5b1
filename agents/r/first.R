# Plays the first legal action. R with jsonlite (Debian: r-cran-jsonlite).
#
#     Rscript first.R

library(jsonlite)

# Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
choose <- function(ask) {
  ask$legal[[1]]
}

answer <- function(message) {
  cat(toJSON(message, auto_unbox = TRUE), "\n", sep = "")
  flush(stdout())  # the arena waits for each line
}

ready <- function(hello) {
  if (!grepl("^maumau/1([.]|$)", hello$protocol)) {
    message("first.R speaks maumau/1 and the arena ", hello$protocol)
    quit(status = 2)
  }
  answer(list(type = "ready", protocol = "maumau/1", name = "first.R", games = 64))
}

arena <- file("stdin", open = "r")
while (length(line <- readLines(arena, n = 1)) > 0) {
  # Lists stay lists: simplified, ["mau"] would come out as "mau".
  said <- fromJSON(line, simplifyVector = FALSE)
  switch(said$type,
    hello = ready(said),
    ask = answer(c(list(type = "act", game = said$game, id = said$id), choose(said))),
    fault = message(line),
    bye = break
  )
}
