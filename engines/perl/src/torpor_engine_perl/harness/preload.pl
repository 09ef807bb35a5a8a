# Loads what people use, so that every context starts with it in its base image. Only at boot; nothing is
# imported into any package of the user's.
my @modules = qw(
    strict warnings utf8 feature experimental constant parent base fields lib vars integer overload builtin re
    bytes Carp Config Cwd Data::Dumper Digest::MD5 Digest::SHA Encode Errno Exporter Fcntl File::Basename
    File::Copy File::Find File::Path File::Spec File::Spec::Functions File::Temp Getopt::Long Hash::Util
    IO::File IO::Handle JSON::PP List::Util MIME::Base64 POSIX Scalar::Util Storable Sub::Util Symbol
    Term::ANSIColor Text::ParseWords Text::Wrap Tie::Hash Time::HiRes Time::Local Time::Piece
);

my sub preload {
    for my $module (@modules) {
        my $file = "$module.pm" =~ s{::}{/}gr;
        require $file;
    }
    return;
}
