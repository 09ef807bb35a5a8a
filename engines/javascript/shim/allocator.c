/*
 * malloc and its family: two-level segregated fits (TLSF).
 *
 * The compiler's own libc never joins freed blocks, so that a heap which was once full of small ones stays full
 * for large ones. A context lives for long, with a fixed amount of memory: here blocks are joined as soon as they
 * are free. All operations take constant time and touch few pages, which is what snapshots are made of.
 *
 * A block's `size` is that of its payload. `previous` belongs to the block before it and is valid only when that
 * is free: it lies in the last bytes of its payload. Sizes are 4 more than a multiple of 8, so payloads are aligned
 * to 8 with a header of 4 bytes.
 */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "allocator.h"

struct block {
    struct block *previous;
    uint32_t size;
    struct block *next_free, *previous_free;
};

enum { IS_FREE = 1, IS_PREVIOUS_FREE = 2, FLAGS = 3 };
/* The end is a block of which only `previous` and `size` exist. */
enum { ALIGNMENT = 8, HEADER = 4, END_HEADER = 8 };
/* What a payload must hold while its block is free: two links, and the next block's `previous`. */
enum { LEAST_PAYLOAD = 12 };
/* Below this size there is a list for each size; above, each power of two is divided into so many lists. */
enum { DIVISIONS_LOG2 = 4, DIVISIONS = 1 << DIVISIONS_LOG2, SMALL = DIVISIONS * ALIGNMENT };
enum { SMALL_LOG2 = 7, LEVELS = 32 - SMALL_LOG2 + 1 };
enum { WASM_PAGE = 65536 };
/* Memory is asked for in steps of so much: asking costs time, and what is not used is zero and costs nothing. */
enum { GROWTH = 1 << 18 };
enum { MOST_PAYLOAD = 1 << 30 };

static struct {
    uint32_t levels;
    uint32_t divisions[LEVELS];
    struct block *lists[LEVELS][DIVISIONS];
    /* NULL before the first use. `end` is a block of size 0. */
    struct block *first, *end;
    /* Memory that is kept back, and whether it may be used now. */
    void *reserve;
    bool may_use_reserve;
} heap;

extern unsigned char __heap_base;

static uint32_t payload_of(const struct block *block)
{
    return block->size & ~FLAGS;
}

static void *address_of(struct block *block)
{
    return (char *)block + offsetof(struct block, next_free);
}

static struct block *block_of(const void *address)
{
    return (struct block *)((char *)address - offsetof(struct block, next_free));
}

static struct block *next_of(struct block *block)
{
    return (struct block *)((char *)address_of(block) + payload_of(block) - sizeof(block->previous));
}

/* The payload for a wish of so many bytes. */
static uint32_t adjusted(size_t wish)
{
    uint32_t size = (uint32_t)((wish + ALIGNMENT - HEADER - 1) & ~(size_t)(ALIGNMENT - 1)) + HEADER;
    return size < LEAST_PAYLOAD ? LEAST_PAYLOAD : size;
}

/* Lists ------------------------------------------------------------------------------------------ */

struct place {
    uint32_t level, division;
};

static struct place place_of(uint32_t size)
{
    uint32_t log2;

    if (size < SMALL)
        return (struct place){0, size / ALIGNMENT};
    log2 = 31 - (uint32_t)__builtin_clz(size);
    return (struct place){log2 - SMALL_LOG2 + 1, (size >> (log2 - DIVISIONS_LOG2)) ^ DIVISIONS};
}

static void insert(struct block *block)
{
    struct place at = place_of(payload_of(block));
    struct block **list = &heap.lists[at.level][at.division];

    block->next_free = *list;
    block->previous_free = NULL;
    if (*list)
        (*list)->previous_free = block;
    *list = block;
    heap.levels |= 1u << at.level;
    heap.divisions[at.level] |= 1u << at.division;
}

static void extract(struct block *block)
{
    struct place at = place_of(payload_of(block));

    if (block->next_free)
        block->next_free->previous_free = block->previous_free;
    if (block->previous_free) {
        block->previous_free->next_free = block->next_free;
        return;
    }
    heap.lists[at.level][at.division] = block->next_free;
    if (block->next_free)
        return;
    heap.divisions[at.level] &= ~(1u << at.division);
    if (!heap.divisions[at.level])
        heap.levels &= ~(1u << at.level);
}

/* A free block of at least `size`, or NULL. */
static struct block *find(uint32_t size)
{
    struct place at;
    uint32_t divisions, levels;

    /* Every block of the next list is large enough, so none has to be looked at. */
    if (size >= SMALL)
        size += (1u << (31 - __builtin_clz(size) - DIVISIONS_LOG2)) - 1;
    at = place_of(size);
    divisions = heap.divisions[at.level] & (~0u << at.division);
    if (!divisions) {
        levels = at.level + 1 < LEVELS ? heap.levels & (~0u << (at.level + 1)) : 0;
        if (!levels)
            return NULL;
        at.level = (uint32_t)__builtin_ctz(levels);
        divisions = heap.divisions[at.level];
    }
    return heap.lists[at.level][__builtin_ctz(divisions)];
}

/* Blocks ----------------------------------------------------------------------------------------- */

static void mark_free(struct block *block)
{
    struct block *next = next_of(block);

    block->size |= IS_FREE;
    next->previous = block;
    next->size |= IS_PREVIOUS_FREE;
}

static void mark_used(struct block *block)
{
    block->size &= ~(uint32_t)IS_FREE;
    next_of(block)->size &= ~(uint32_t)IS_PREVIOUS_FREE;
}

static void swallow_next(struct block *block)
{
    struct block *next = next_of(block);

    extract(next);
    block->size += payload_of(next) + HEADER;
}

/* Puts a block that is not used any more into its list, joined with its neighbours. */
static void give_back(struct block *block)
{
    if (block->size & IS_PREVIOUS_FREE) {
        struct block *previous = block->previous;
        extract(previous);
        previous->size += payload_of(block) + HEADER;
        block = previous;
    }
    if (next_of(block)->size & IS_FREE)
        swallow_next(block);
    mark_free(block);
    insert(block);
}

/* Cuts what is beyond `size` off a used block, if it can be a block of its own. */
static void trim(struct block *block, uint32_t size)
{
    uint32_t whole = payload_of(block);
    struct block *rest;

    if (whole < size + HEADER + LEAST_PAYLOAD)
        return;
    block->size = size | (block->size & FLAGS);
    rest = next_of(block);
    rest->size = whole - size - HEADER;
    give_back(rest);
}

static void begin_heap(void)
{
    uintptr_t start = ((uintptr_t)&__heap_base + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);

    heap.end = heap.first = (struct block *)start;
    heap.end->size = 0;
}

/* Makes the memory up to the end of the linear memory a free block before a new end. */
static void adopt_memory(void)
{
    struct block *block = heap.end;
    char *limit = (char *)(__builtin_wasm_memory_size(0) * WASM_PAGE);

    heap.end = (struct block *)(limit - END_HEADER);
    heap.end->size = 0;
    block->size = (uint32_t)((char *)heap.end - (char *)block) - HEADER | (block->size & FLAGS);
    give_back(block);
}

static bool grow(uint32_t size)
{
    /* `find` looks for a little more than the size; a new block has a header. */
    size_t wanted = size + (size >> DIVISIONS_LOG2) + sizeof(struct block);
    size_t step = (wanted + GROWTH - 1) / GROWTH * GROWTH;

    if (!heap.end)
        begin_heap();
    if (__builtin_wasm_memory_grow(0, step / WASM_PAGE) == SIZE_MAX) {
        /* Near the limit, a smaller step may still do. */
        step = (wanted + WASM_PAGE - 1) / WASM_PAGE * WASM_PAGE;
        if (__builtin_wasm_memory_grow(0, step / WASM_PAGE) == SIZE_MAX)
            return false;
    }
    adopt_memory();
    return true;
}

/* The family ------------------------------------------------------------------------------------- */

void *malloc(size_t wish)
{
    uint32_t size;
    struct block *block;

    if (wish > MOST_PAYLOAD) {
        errno = ENOMEM;
        return NULL;
    }
    size = adjusted(wish);
    block = find(size);
    if (!block && grow(size))
        block = find(size);
    if (!block && heap.may_use_reserve && heap.reserve) {
        free(heap.reserve);
        heap.reserve = NULL;
        block = find(size);
    }
    if (!block) {
        errno = ENOMEM;
        return NULL;
    }
    extract(block);
    mark_used(block);
    trim(block, size);
    return address_of(block);
}

void free(void *address)
{
    if (address)
        give_back(block_of(address));
}

void *calloc(size_t count, size_t each)
{
    size_t size;
    void *address;

    if (__builtin_mul_overflow(count, each, &size)) {
        errno = ENOMEM;
        return NULL;
    }
    address = malloc(size);
    return address ? memset(address, 0, size) : NULL;
}

void *realloc(void *address, size_t wish)
{
    struct block *block, *next;
    uint32_t size, current;
    void *moved;

    if (!address)
        return malloc(wish);
    if (wish > MOST_PAYLOAD) {
        errno = ENOMEM;
        return NULL;
    }
    block = block_of(address);
    size = adjusted(wish);
    current = payload_of(block);
    if (size > current) {
        next = next_of(block);
        if (!(next->size & IS_FREE) || current + HEADER + payload_of(next) < size) {
            moved = malloc(wish);
            if (moved) {
                memcpy(moved, address, current);
                free(address);
            }
            return moved;
        }
        swallow_next(block);
        mark_used(block);
    }
    trim(block, size);
    return address;
}

size_t malloc_usable_size(void *address)
{
    return address ? payload_of(block_of(address)) : 0;
}

/* The reserve ------------------------------------------------------------------------------------ */

void allow_reserve(bool allowed)
{
    heap.may_use_reserve = allowed;
}

void refill_reserve(size_t size)
{
    if (!heap.reserve)
        heap.reserve = malloc(size);
}

/* Tidying ---------------------------------------------------------------------------------------- */

/* Zeroes a stretch of words, writing only where something stands. */
void clear_words(uintptr_t from, uintptr_t to)
{
    for (uint32_t *word = (uint32_t *)from; (uintptr_t)word < to; word++)
        if (*word)
            *word = 0;
}

void clear_free_memory(void)
{
    for (struct block *block = heap.first; block != heap.end; block = next_of(block)) {
        uintptr_t after_links = (uintptr_t)block + sizeof(struct block);
        if (block->size & IS_FREE)
            clear_words(after_links, (uintptr_t)next_of(block));
    }
}
