#!/bin/sh
# Plays the first legal action: a bot in plain POSIX shell. The arena writes JSON without blanks and members
# in a fixed order, so it is enough to cut the line at fixed texts. To read any JSON see agents/c/first.c.

while IFS= read -r line; do
    case $line in
    '{"type":"hello",'*'"protocol":"maumau/1"'* | '{"type":"hello",'*'"protocol":"maumau/1.'*)
        echo '{"type":"ready","protocol":"maumau/1","name":"first.sh","wants":["legal"],"games":64}' ;;
    '{"type":"hello",'*)
        echo "first.sh speaks maumau/1 and the arena does not: $line" >&2
        exit 2 ;;
    '{"type":"ask",'*)
        ids=${line#*'"game":'} ids=${ids%%',"seat":'*}               # "g1","id":"00f3..."
        first=${line#*'"legal":[{'}
        case $first in *'},{'*) first=${first%%'},{'*} ;; *) first=${first%'}]}'*} ;; esac
        printf '{"type":"act","game":%s,%s}\n' "$ids" "$first" ;;
    '{"type":"fault",'*) echo "$line" >&2 ;;
    '{"type":"bye"'*) exit 0 ;;
    esac
done
