<?php
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    if ($message["type"] === "hello") {
        $answer = ["type" => "ready", "protocol" => "maumau/1", "name" => "php", "wants" => ["legal"]];
    } elseif ($message["type"] === "ask") {
        $answer = ["type" => "act", "game" => $message["game"], "id" => $message["id"]] + $message["legal"][0];
    } elseif ($message["type"] === "bye") {
        break;
    } else {
        continue;
    }
    echo json_encode($answer), "\n";
}
