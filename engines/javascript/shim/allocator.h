/*
 * What the allocator offers besides malloc and its family.
 */
#ifndef TORPOR_ALLOCATOR_H
#define TORPOR_ALLOCATOR_H

#include <stddef.h>
#include <stdint.h>

size_t malloc_usable_size(void *address);
/* Zeroes a stretch of words, writing only where something stands: what is written to must be stored. */
void clear_words(uintptr_t from, uintptr_t to);
/* Zeroes what is free, so that it need not be stored. */
void clear_free_memory(void);

#endif
