# Plays the first legal action. Perl 5.20 or later, nothing to install.
#
#     perl first.pl

use strict;
use warnings;
use feature qw(say signatures);
no warnings 'experimental::signatures';
use JSON::PP;    # with JSON::XS in its place it is ten times as fast

$| = 1;          # the arena waits for each line
my $json = JSON::PP->new->utf8;

# Think here. Each entry of `legal` is a whole answer, with the words that must be said; `view` is the position.
sub choose ($ask) {
    return $ask->{legal}[0];
}

my %answer_to = (
    hello => sub ($hello) {
        if ($hello->{protocol} !~ m{^maumau/1(?:\.|$)}) {
            warn "first.pl speaks maumau/1 and the arena $hello->{protocol}\n";
            exit 2;
        }
        return {type => 'ready', protocol => 'maumau/1', name => 'first.pl', games => 64};
    },
    ask   => sub ($ask) { return {type => 'act', game => $ask->{game}, id => $ask->{id}, %{choose($ask)}} },
    fault => sub ($fault) { warn $json->encode($fault), "\n"; return },
    bye   => sub ($bye) { exit },
);

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    my $handler = $answer_to{$message->{type}} or next;    # of a later version, or of no interest
    my $answer  = $handler->($message)         or next;
    say $json->encode($answer);
}
