/*
 * What the parts of the shim share.
 *
 * There are two realms in one runtime. Users' code and the Node-like library live in the user's realm. The
 * harness lives in a realm of its own, so that nothing a user overwrites can reach it. Values of both may be
 * handed to either, but no function or error of the harness's realm is given to users.
 */
#ifndef TORPOR_SHIM_H
#define TORPOR_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "quickjs.h"

struct shim {
    JSRuntime *runtime;
    JSContext *user, *harness;
    /* What the harness's script returned: its functions by name. */
    JSValue hooks;
    /* The library's function that makes the Error of a failed system call, or undefined until there is one. */
    JSValue system_error;
    /* A compiled cell that waits to be run, or undefined. */
    JSValue compiled;
    /* Memory that the base image uses, in bytes: users' limit comes on top. */
    size_t base_used;
    /* What users' code may have allocated in this turn, the base included. */
    size_t memory_limit;
    /* While this is set, running code is not asked to stop: only the harness's own steps run so. */
    bool guarded;
    /* The host asked for an end: nothing of the user's runs any more in this turn. */
    bool stopped;
    /* The code ended itself with this status; -1 while it did not. */
    int exit_status;
};
extern struct shim shim;

/* device.c: the harness's private device. */
char *device_read(size_t *length);
int device_write(const char *data, size_t length);

/* natives: each adds its functions to an object of the given realm. */
void add_file_natives(JSContext *ctx, JSValueConst natives);
void add_machine_natives(JSContext *ctx, JSValueConst natives);
void add_value_natives(JSContext *ctx, JSValueConst natives);
void add_text_natives(JSContext *ctx, JSValueConst natives);
void add_harness_natives(JSContext *ctx, JSValueConst natives);

/* modules.c */
void install_module_loader(JSRuntime *runtime);
/* Loads and runs a module: [promise of its evaluation, its namespace]. */
JSValue run_module(JSContext *ctx, const char *name);

/* shim.c */
/* More memory for what has to work even when users have taken all of theirs. */
void give_headroom(bool given);
JSValue call_hook(const char *name, int argc, JSValueConst *argv);

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#endif
