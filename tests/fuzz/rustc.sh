#!/bin/sh
# rustc for the fuzzer: only the project's own crates are made to count what they reach. What a parser of TOML or JSON does
# inside itself is its own project's to fuzz, and would only cost time here.
rustc=$1
shift
case " $* " in *" --crate-name maumau_"*) exec "$rustc" "$@" ;; esac
for argument; do
    shift
    case $argument in
        -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage-*) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "$rustc" "$@"
