/*
 * The few things that are done inside of QuickJS because its public interface does not reach them.
 */
#ifndef TORPOR_INTERIOR_H
#define TORPOR_INTERIOR_H

#include "quickjs.h"

/* Sets the state of Math.random of a realm. */
void seed_random(JSContext *ctx, uint64_t bits);
/* Begins to note how deep the stack becomes; `deepest_stack` is the lowest address since. */
void watch_stack(JSRuntime *runtime);
uintptr_t deepest_stack(JSRuntime *runtime);
/* Bytes that are allocated. */
size_t used_memory(JSRuntime *runtime);
/* Forgets all jobs that wait. */
void drop_jobs(JSRuntime *runtime);
/* Forgets a module that failed, so that it is loaded anew when it is asked for again. */
void forget_failed_module(JSContext *ctx, const char *name);
/* Loads a module by its resolved name, or finds it; an exception is pending when it gives NULL. */
JSModuleDef *find_or_load_module(JSContext *ctx, const char *name);
JSValue module_value(JSContext *ctx, JSModuleDef *module);
/* The object whose properties are a realm's top-level let, const and class. */
JSValue lexical_names(JSContext *ctx);
/* What a Map or Set iterator has still to give: {kind, items}; undefined for anything else. */
JSValue preview_iterator(JSContext *ctx, JSValueConst value);
/* An object's own keys without array indices, which would be a million strings for a long array. */
JSValue named_keys(JSContext *ctx, JSValueConst value, bool only_enumerable);
/* [name, file, line, column] of each frame of users' code. */
JSValue call_sites(JSContext *ctx);
/* An Error's stack as it was recorded, or undefined. */
JSValue recorded_stack(JSContext *ctx, JSValueConst value);
/* Whether a value of the user's realm is plain data that JSON tells without loss. */
bool is_plain_json(JSContext *user, JSValueConst value);

#endif
