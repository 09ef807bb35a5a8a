"""Overwrites memory that was given back to the allocator.

What a turn freed still has its content, which would be stored with the snapshot: dead weight, and
perhaps somebody's secret. The host asks for this after turns that wrote much, with the memory held
at its size, so that an allocation is served from what is free or fails.
"""

_bytearray = bytearray
#: Smaller blocks are left alone: finding them all would take longer than storing them.
SMALLEST = 256 * 1024


def zero_free_memory(largest: int) -> None:
    """Take blocks of at most `largest` bytes, zeroed, until there are none; then give them back."""
    held = []
    size = largest
    while size >= SMALLEST:
        try:
            held.append(_bytearray(size))
        except MemoryError:
            size //= 2
    held.clear()
