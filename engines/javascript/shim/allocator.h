/*
 * What the allocator offers besides malloc and its family.
 */
#ifndef TORPOR_ALLOCATOR_H
#define TORPOR_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t malloc_usable_size(void *address);
/* Some memory is kept back, so that the harness can still speak when users have taken the rest. */
void allow_reserve(bool allowed);
/* Keeps it back again, if it was used and can be had. */
void refill_reserve(size_t size);
/* Zeroes a stretch of words, writing only where something stands: what is written to must be stored. */
void clear_words(uintptr_t from, uintptr_t to);
/* Zeroes what is free, so that it need not be stored. */
void clear_free_memory(void);

#endif
