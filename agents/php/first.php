<?php
// Plays the first legal action. PHP 8 or later, nothing to install.
//
//     php first.php

declare(strict_types=1);

/** Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position. */
function choose(object $ask): object
{
    return $ask->legal[0];
}

function answer(array $message): void
{
    fwrite(STDOUT, json_encode($message, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n");
}

function ready(object $hello): void
{
    if (!preg_match('{^maumau/1(\.|$)}', $hello->protocol)) {
        fwrite(STDERR, "first.php speaks maumau/1 and the arena $hello->protocol\n");
        exit(2);
    }
    answer(['type' => 'ready', 'protocol' => 'maumau/1', 'name' => 'first.php', 'games' => 64]);
}

function act(object $ask): void
{
    answer(['type' => 'act', 'game' => $ask->game, 'id' => $ask->id, ...(array) choose($ask)]);
}

while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, flags: JSON_THROW_ON_ERROR);
    match ($message->type) {
        'hello' => ready($message),
        'ask' => act($message),
        'fault' => fwrite(STDERR, $line),
        'bye' => exit,
        default => null, // a message that says nothing to this bot, or one of a later version
    };
}
