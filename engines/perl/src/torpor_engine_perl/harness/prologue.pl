# The opening of the harness: the empty scope in which user code starts, and the harness's own pragmas.
#
# All files of the harness are compiled as one text, in the order of the driver's list, so what one declares
# with `my` the later ones see. User code cannot: it starts in the scope of `compile_in_empty_scope`, above
# every such declaration. Nothing here may be a package variable or a package subroutine, which users could
# replace, but for the few names in `Torpor::` that `entry.pl` keeps in place.
package main;

sub Torpor::compile_in_empty_scope { eval CORE::shift }

package Torpor;

use strict;
use warnings;
no warnings qw(experimental once surrogate nonchar non_unicode exiting recursion);
use utf8;
use feature qw(current_sub unicode_strings);
# Objects are looked at, never asked.
no overloading;

# The file name of what the harness compiles later on, and the beginning of its files' names: its frames are
# known by it.
use constant OWN_FILE => '<torpor>';

# What the harness needs of the language's library, saved before anybody can replace it.
use Cwd ();
use Errno ();
use IO::Handle ();
use Sub::Util ();
my $not_implemented = Errno::ENOSYS();
my $clear_error = \&IO::Handle::clearerr;
my $get_folder = \&Cwd::getcwd;
my $sub_name = \&Sub::Util::subname;
# Not `UNIVERSAL::can` by name: users may override it.
my $find_method = \&UNIVERSAL::can;
