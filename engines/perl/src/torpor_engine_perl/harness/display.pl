# A value as a result: which text, and whether it is JSON too.

# (the value, '@' if it is a list, whether there is any).
my sub one_value {
    my ($run, $values) = @_;
    return if !$run->{shows} || !@$values;
    return ($values->[0], $run->{bare}) if @$values == 1;
    return ($values, '@');
}

# How much longer than the limit a text is made: beyond it, its size is not found out.
use constant TEXT_BEYOND_LIMIT => 4;

my sub text_of {
    my ($value, $bare, $most) = @_;
    # As Perl prints it, also a number; a glob is such a scalar too.
    return "$value" if !ref $value;
    return literal_of($value, $most, $bare) if defined $bare;
    return own_text($value) // literal_of($value, $most);
}

# The frame, or nothing if there is no value.
my sub value_frame {
    my ($run, $values, $limit) = @_;
    my ($value, $bare) = one_value($run, $values);
    return if !defined $value;
    my $text = eval { text_of($value, $bare, TEXT_BEYOND_LIMIT * $limit) } // '<a value that cannot be told>';
    my $json = ref $value eq 'ARRAY' || ref $value eq 'HASH' ? json_of($value) : undef;
    return result_frame($text, $json, $limit);
}
