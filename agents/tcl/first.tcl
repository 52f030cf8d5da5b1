# Plays the first legal action. Tcl 8.6 with tDOM, which keeps the types of JSON (Debian: tdom).
#
#     tclsh first.tcl

package require tdom

# Commands that make the member "type" and its text.
dom createNodeCmd -jsonType NONE elementNode type
dom createNodeCmd -jsonType STRING textNode text

# Think here. Each node below legal is a whole answer, with the words that must be said; view is the position.
proc choose {ask} {
    return [$ask selectNodes {legal/*[1]}]
}

proc ready {hello} {
    set protocol [$hello selectNodes string(protocol)]
    if {![string match maumau/1.* $protocol.]} {
        puts stderr "first.tcl speaks maumau/1 and the arena $protocol"
        exit 2
    }
    puts {{"type":"ready","protocol":"maumau/1","name":"first.tcl","games":64}}
}

proc act {ask} {
    set action [choose $ask]
    $action appendFromScript { type { text act } }
    $action appendChild [$ask selectNodes game]
    $action appendChild [$ask selectNodes id]
    puts [$action asJSON]
}

fconfigure stdin -encoding utf-8
fconfigure stdout -encoding utf-8 -buffering line ;# the arena waits for each line

while {[gets stdin line] >= 0} {
    set document [dom parse -json -jsonroot message $line]
    set message [$document documentElement]
    switch [$message selectNodes string(type)] {
        hello { ready $message }
        ask { act $message }
        fault { puts stderr $line }
        bye { break }
    }
    $document delete
}
