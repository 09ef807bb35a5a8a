# Finds the last statement of a piece of Perl.
#
# Only perl can parse Perl, so this may be wrong about odd code. Whatever is concluded from it is therefore
# checked by the compiler (`execution.pl`), and code that is not understood just runs as it is.
use constant {
    # What the last token was, which decides what `/`, `<` or `%` mean after it.
    OPERAND => 'operand',
    OPERATOR => 'operator',
    WORD => 'word',
    ARROW => 'arrow',
};

# Words after which a term comes, so that a slash begins a pattern.
my %takes_term = map { $_ => 1 } qw(
    if unless while until and or not xor x lt gt le ge eq ne cmp return split grep map join push unshift print
    printf say die warn when for foreach
);
my %compound = map { $_ => 1 } qw(
    if unless while until for foreach given when sub package class method BEGIN END INIT CHECK UNITCHECK
    ADJUST try defer else elsif continue catch finally
);
my %modifier = map { $_ => 1 } qw(if unless while until for foreach);
my %quote_like = map { $_ => 1 } qw(q qq qw qr m s tr y);
my %declaring = map { $_ => 1 } qw(my our state);
my %closing = ('(' => ')', '[' => ']', '{' => '}', '<' => '>');

# Skip the rest of a quoted text whose opening delimiter comes next; gives that delimiter.
my sub skip_delimited {
    $_[0] =~ /\G\s*(\S)/gc or return '';
    my ($open, $depth) = ($1, 1);
    my $close = $closing{$open} // $open;
    while ($_[0] =~ /\G(?:\\.|([^\\]))/gcs) {
        next if !defined $1;
        if ($1 eq $close) { last if --$depth == 0 }
        elsif ($1 eq $open) { $depth++ }
    }
    return $open;
}

# A quote-like operator, if `$word` is one here.
my sub skip_quote_like {
    my (undef, $word) = @_;
    return 0 if !$quote_like{$word};
    # A comma is a delimiter too, right behind the longer ones.
    my $delimited = $_[0] =~ /\G(?=\s*[^\s\w,;=)]|\s+\w|\s*=[^=>~])/
        || $word =~ /\A(?:qw|qr|m|s)\z/ && $_[0] =~ /\G,/;
    return 0 if !$delimited;
    my $open = skip_delimited($_[0]);
    if ($word =~ /\A(?:s|tr|y)\z/) {
        if ($closing{$open}) { skip_delimited($_[0]) }
        else { 1 while $_[0] =~ /\G(?:\\.|([^\\]))/gcs && ($1 // '') ne $open }
    }
    $_[0] =~ /\G\w*/gc;
    return 1;
}

# The bodies of here-documents that were begun in the line that ends here, and a following piece of POD.
my sub skip_after_line {
    my (undef, $state) = @_;
    for my $here (@{ $state->{here} } ? splice @{ $state->{here} } : ()) {
        my ($name, $indented) = @$here;
        my $end = $indented ? qr/\G.*?^[ \t]*\Q$name\E$/ms : qr/\G.*?^\Q$name\E$/ms;
        $_[0] =~ /$end/gc or pos($_[0]) = length $_[0];
    }
    if ($state->{blank} && $_[0] =~ /\G=[a-zA-Z]/) {
        $_[0] =~ /\G.*?^=cut\b[^\n]*/gcms or pos($_[0]) = length $_[0];
    }
    return;
}

my sub begin_statement {
    my (undef, $state) = @_;
    @$state{qw(blank modified declares)} = (0, 0, 0);
    my $word = $_[0] =~ /\G([A-Za-z_]\w*)/ ? $1 : '';
    if ($word ne '' && $_[0] =~ /\G\w+\s*:(?![:=])\s*/gc) { $word = $_[0] =~ /\G([A-Za-z_]\w*)/ ? $1 : '' }
    if ($declaring{$word}) { $word = 'sub' if $_[0] =~ /\G\w+\s+(?:sub|method)\b/ }
    # An anonymous subroutine is an expression.
    elsif ($word eq 'sub') { $word = '' if $_[0] !~ /\G\w+\s+[\w:']/ }
    elsif ($word eq '') { $word = '{' if $_[0] =~ /\G\{(?!\s*(?:\}|(?:\w+|"[^"]*"|'[^']*')\s*(?:,|=>)))/ }
    $state->{keyword} = $word;
    $state->{start} = pos $_[0];
    return;
}

my sub end_statement {
    my ($state, $at) = @_;
    $state->{last} = [@$state{qw(start keyword modified declares)}, $at];
    $state->{blank} = 1;
    return;
}

my sub read_word {
    my (undef, $state, $word, $at) = @_;
    my $named = $state->{previous} eq ARROW || $_[0] =~ /\G\s*=>/
        || substr($_[0], $at - 1, 1) eq '{' && $at > 0 && $_[0] =~ /\G\s*\}/;
    if ($named) { $state->{previous} = OPERAND; return }
    if ($word eq '__END__' || $word eq '__DATA__') {
        $state->{data} = $_[0] =~ /\G[^\n]*\n/gc ? substr $_[0], pos $_[0] : '';
        $state->{code_end} = $at;
        pos($_[0]) = length $_[0];
        return;
    }
    if ($word eq 'format' && $_[0] =~ /\G\s*[\w:]*\s*=[^\n]*\n.*?^\.$/gcms) {
        $state->{previous} = OPERATOR;
        return;
    }
    my $is_file_test = $at > 0 && substr($_[0], $at - 1, 1) eq '-' && length $word == 1;
    if (!$is_file_test && skip_quote_like($_[0], $word)) { $state->{previous} = OPERAND; return }
    $state->{declares} = 1 if $declaring{$word} && !$state->{braces};
    # A prototype looks like special variables.
    $_[0] =~ /\G\s*[\w:]*\s*\([\$\@%&*;\\\[\]+_\s]*\)/gc if $word eq 'sub';
    if ($modifier{$word} && !$state->{braces} && !$state->{parens} && $at > $state->{start}
        && !$compound{ $state->{keyword} }) {
        $state->{modified} = 1;
    }
    $state->{previous} = $takes_term{$word} ? OPERATOR : WORD;
    return;
}

my sub close_brace {
    my (undef, $state) = @_;
    $state->{braces}-- if $state->{braces};
    my $term = pop @{ $state->{open} };
    $state->{previous} = $term ? OPERAND : OPERATOR;
    return if $state->{braces} || $state->{parens};
    return if !$compound{ $state->{keyword} } && $state->{keyword} ne '{';
    return if $term || $_[0] =~ /\G(?=\s*(?:else|elsif|continue|catch|finally)\b)/;
    end_statement($state, pos $_[0]);
    return;
}

my sub read_sigil {
    my (undef, $state, $sigil) = @_;
    if ($sigil =~ /[\$\@]/ || $state->{previous} eq OPERATOR && $_[0] =~ /\G.[\$\{\w:^]/) {
        if ($_[0] =~ /\G(?:\$\#|.)(?=\{)/gc) { @$state{qw(dereferences previous)} = (1, OPERATOR); return }
        # Names, elements of their chain of references, and the special variables.
        if ($_[0] =~ /\G(?:\$\#\$*\w[\w:]*|.\$*(?:::)?\^?\w+(?:(?:::|')\w+)*|\$\$|\$[^\s\w{()\$])/gc) {
            $state->{previous} = OPERAND;
            return;
        }
    }
    pos($_[0])++;
    $state->{previous} = OPERATOR;
    return;
}

my sub read_quoted {
    my (undef, $state) = @_;
    $_[0] =~ /\G(?:"(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|`(?:[^`\\]++|\\.)*+`)/gcs
        or pos($_[0]) = length $_[0];
    $state->{previous} = OPERAND;
    return;
}

# `<<` that begins a here-document, `<...>` that reads or lists files, or an operator.
my sub read_less_than {
    my (undef, $state) = @_;
    # After a term, as in `print $file <<END`, it is one if it is written like one.
    if (($state->{previous} ne OPERAND || substr($_[0], pos($_[0]) - 1, 1) =~ /\s/)
        && $_[0] =~ /\G<<(~?)(?:"([^"\n]*)"|'([^'\n]*)'|\\?([A-Za-z_]\w*))/gc) {
        push @{ $state->{here} }, [$2 // $3 // $4, $1];
        $state->{previous} = OPERAND;
    }
    elsif ($state->{previous} eq OPERATOR && $_[0] =~ /\G<[\$\w:*.\/~ -]*>/gc) {
        $state->{previous} = OPERAND;
    }
    else { $_[0] =~ /\G<+/gc; $state->{previous} = OPERATOR }
    return;
}

my sub read_slash {
    my (undef, $state) = @_;
    my $is_pattern = $state->{previous} eq OPERATOR
        && $_[0] =~ m{\G/(?:[^/\\\[]++|\\.|\[(?:[^\]\\]|\\.)*\]|\[)*+/\w*}gcs;
    pos($_[0])++ if !$is_pattern;
    $state->{previous} = $is_pattern ? OPERAND : OPERATOR;
    return;
}

my sub read_bracket {
    my (undef, $state, $bracket) = @_;
    my $at = pos($_[0])++;
    if ($bracket eq '{') {
        # A subscript or a dereference is followed by an operator, as a block is not.
        my $is_term = delete $state->{dereferences}
            || $state->{previous} =~ /\A(?:operand|arrow)\z/ && substr($_[0], $at - 1, 1) !~ /[\s)]/;
        push @{ $state->{open} }, $is_term;
        $state->{braces}++;
    }
    elsif ($bracket eq '}') { close_brace($_[0], $state); return }
    elsif ($bracket eq '(' || $bracket eq '[') { $state->{parens}++ }
    else {
        $state->{parens}-- if $state->{parens};
        $state->{previous} = OPERAND;
        return;
    }
    $state->{previous} = OPERATOR;
    return;
}

my sub read_operator {
    my (undef, $state) = @_;
    if ($_[0] =~ /\G->[\$\@%&]\#?\*/gc) { $state->{previous} = OPERAND }
    elsif ($_[0] =~ /\G->/gc) { $state->{previous} = ARROW }
    elsif ($_[0] =~ /\G(?:\+\+|--)/gc) { $state->{previous} = OPERATOR if $state->{previous} ne OPERAND }
    else { $_[0] =~ /\G[^\w\s"'`\$\@%&*<\/(){}\[\];#+-]+|\G./gcs; $state->{previous} = OPERATOR }
    return;
}

my %reader = (
    (map { $_ => \&read_sigil } '$', '@', '%', '&', '*'),
    (map { $_ => \&read_quoted } '"', "'", '`'),
    (map { $_ => \&read_bracket } '(', ')', '[', ']', '{', '}'),
    '<' => \&read_less_than,
    '/' => \&read_slash,
);

# One token at the position of `$_[0]`, told by its first character.
my sub read_token {
    my (undef, $state) = @_;
    my $at = pos $_[0];
    my $first = substr $_[0], $at, 1;
    if (my $read = $reader{$first}) { $read->($_[0], $state, $first) }
    elsif ($first eq ';') {
        pos($_[0])++;
        end_statement($state, $at) if !$state->{braces} && !$state->{parens};
        $state->{previous} = OPERATOR;
    }
    elsif ($_[0] =~ /\G(?!\d)\w+(?:::\w+)*/gc) {
        read_word($_[0], $state, substr($_[0], $at, pos($_[0]) - $at), $at);
    }
    elsif ($_[0] =~ /\G[0-9](?:[\w]|\.(?!\.))*/gc) { $state->{previous} = OPERAND }
    else { read_operator($_[0], $state) }
    return;
}

# A run of tokens that need no look of their own; the last of them is in `$^N`. Outside of blocks it ends at what
# decides about statements, inside of them only at what is quoted.
my ($plain_outside, $plain_inside) = map {
    my ($words, $signs) = @$_;
    qr/\G(?:[^\S\n]++|\n(?!=[a-zA-Z])|(
        (?:\$\#|[\$\@])\$*+\w++(?:::\w++)*+ | [0-9]\w*+(?:\.[0-9]\w*+)?+ | -> | => | [$signs]
        | (?!(?:q|qq|qw|qr|m|s|tr|y|sub|format|__END__|__DATA__$words)\b)[a-zA-Z_]\w*+(?:::\w++)*+
    ))++/x;
} ['|my|our|state|if|unless|while|until|for|foreach', ',.=+?:!|^~\\\\()\[\]>-'], ['', ';,.=+?:!|^~\\\\()\[\]>-'];

my sub skip_plain {
    my (undef, $state) = @_;
    my $at = pos $_[0];
    # Line ends matter to what hangs on them, and the first word after an arrow is no word of the language.
    return 0 if @{ $state->{here} } || $state->{previous} eq ARROW;
    return 0 if $state->{braces} ? $_[0] !~ /$plain_inside/gc : $_[0] !~ /$plain_outside/gc;
    my $last = $^N // return 1;
    my $run = substr $_[0], $at, pos($_[0]) - $at;
    $state->{parens} += ($run =~ tr/([//) - ($run =~ tr/)]//);
    $state->{parens} = 0 if $state->{parens} < 0;
    my $first = substr $last, 0, 1;
    $state->{previous} = index('$@0123456789)]', $first) >= 0 ? OPERAND
        : $last eq '->' ? ARROW
        : $first =~ /\w/ ? $takes_term{$last} ? OPERATOR : WORD
        : OPERATOR;
    # The end of a statement most often follows.
    if (!$state->{braces} && !$state->{parens} && substr($_[0], pos $_[0], 1) eq ';') {
        end_statement($state, pos($_[0])++);
        $state->{previous} = OPERATOR;
    }
    return 1;
}

# { start, end, keyword, modified, declares } of the last statement (none if the code has no statement), the
# `code_end`, the `data` after it or undef, and whether everything that was opened was `closed`.
my sub scan {
    my ($code) = @_;
    my %state = (
        blank => 1, previous => OPERATOR, here => [], open => [], braces => 0, parens => 0,
        code_end => length $code, keyword => '', start => 0,
    );
    pos($code) = 0;
    my $spoken = 0;
    skip_after_line($code, \%state);
    while (pos($code) < length $code) {
        if ($code =~ /\G(?:[^\S\n]++|#[^\n]*+)*+(\n?)/gc && $1) { skip_after_line($code, \%state); next }
        last if pos($code) == length $code;
        if ($state{blank}) {
            if (substr($code, pos $code, 1) eq ';') { pos($code)++; next }
            begin_statement($code, \%state);
        }
        skip_plain($code, \%state) or read_token($code, \%state);
        $spoken = pos $code if !defined $state{data};
    }
    end_statement(\%state, $spoken) if !$state{blank} && $state{start} < $state{code_end};
    my $closed = !$state{braces} && !$state{parens};
    my %found = (code_end => $state{code_end}, data => $state{data}, closed => $closed);
    @found{qw(start keyword modified declares end)} = @{ $state{last} } if $state{last};
    return \%found;
}

# Code of which only a scan from its beginning tells where a statement begins: documents, POD, data, formats.
my $needs_scan = qr/<<[~"'A-Za-z_]|^=[a-zA-Z]|^__(?:END|DATA)__\b|^format\b/m;

# Where the line begins that the last statement most likely begins with: it is not indented, does not go on from
# a line before, and what is before it has ended. Undef if there is no such line.
my sub last_beginning {
    my ($code) = @_;
    my $end = length $code;
    while ($end > 0) {
        my $at = rindex($code, "\n", $end - 1) + 1;
        my $line = substr $code, $at, $end - $at;
        $end = $at - 1;
        next if $line =~ /\A\s*(?:#|\z)/ || $line =~ /\A[\s)}\].,?:=|&;*\/<>]/;
        return $at if $at == 0;
        return substr($code, 0, $at) =~ /[;}][^\S\n]*\n\s*\z/ ? $at : undef;
    }
    return undef;
}

# The same as `scan` gives, from a look at the end alone where that may do; then it is marked `quick`.
my sub scan_end {
    my ($code) = @_;
    my $begin = index($code, "\n") < 0 || $code =~ $needs_scan ? undef : last_beginning($code);
    if ($begin) {
        my $scanned = scan(substr $code, $begin);
        if ($scanned->{closed} && defined $scanned->{start}) {
            $scanned->{$_} += $begin for qw(start end code_end);
            return { %$scanned, quick => 1 };
        }
    }
    return scan($code);
}
