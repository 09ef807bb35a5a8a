# A value as a result: which text, and whether it is JSON too.

# (the value, '@' if it is a list, whether there is any).
my sub one_value {
    my ($run, $values) = @_;
    return if !$run->{shows} || !@$values;
    return ($values->[0], $run->{bare}) if @$values == 1;
    return ($values, '@');
}

# (the text, whether it is all of it), of about `$most` characters.
my sub text_of {
    my ($value, $bare, $most) = @_;
    # As Perl prints it, also a number; a glob is such a scalar too.
    return ("$value", 1) if !ref $value;
    my $own = defined $bare ? undef : own_text($value);
    return defined $own ? ($own, 1) : literal_of($value, $most, $bare);
}

# The frame, or nothing if there is no value.
my sub value_frame {
    my ($run, $values, $limit) = @_;
    my ($value, $bare) = one_value($run, $values);
    return if !defined $value;
    my ($text, $whole) = eval { text_of($value, $bare, $limit) };
    ($text, $whole) = ('<a value that cannot be told>', 1) if !defined $text;
    my ($json, $size) = ref $value eq 'ARRAY' || ref $value eq 'HASH' ? json_of($value, $limit) : ();
    return result_frame($text, $whole, $json, $size, $limit);
}
