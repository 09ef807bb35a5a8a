"""Where Ruby's own words changed after versions that are still in use."""

from tests.contract.tutorials.snippets import Change

INSPECT = Change((3, 4), 'Hash#inspect writes {name: 1, "a" => 2}, no longer {:name=>1, "a"=>2}')
RECEIVERS = Change((3, 3), "messages tell the class of a receiver, no longer its inspection")
QUOTES = Change((3, 4), "messages quote names as 'name', no longer as `name'")
SETS = Change((4, 0), "Set#inspect writes Set[1, 2], no longer #<Set: {1, 2}>")
