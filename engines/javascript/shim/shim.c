/*
 * The module's exports: `reserve` and `boot` start the engine, `turn` serves one request.
 *
 * A turn is driven from here: the harness's hooks are called for each step, and between them waiting jobs are run
 * and timers slept for. So no frame of the harness is below a user's function, and code that must end
 * (the host says so, or it ended itself) unwinds to here, whatever it was doing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "allocator.h"
#include "interior.h"
#include "shim.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define IMPORT(name) __attribute__((import_module("torpor"), import_name(#name)))

IMPORT(should_stop) int32_t should_stop(void);
IMPORT(time_left) int64_t time_left(void);

struct shim shim = {.exit_status = -1};

/* What the harness may take beyond the users' limit, so that it can tell that the limit was met. */
enum { HARNESS_HEADROOM = 3 << 20 };
/* With the limit met, an execution may take this much more, and all of them together that much. */
enum { LAST_ROOM = 256 << 10, MOST_OVER_LIMIT = 2 << 20 };
/* Below the deepest noted point, functions that do not check the stack may have used this much. */
enum { UNNOTED_STACK = 32 << 10 };
/* The lowest word of the memory is left alone: its address is the null pointer's. */
enum { WORD = 4 };
#define NS_PER_MS 1000000.0
#define NS_PER_SECOND 1000000000LL

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Being stopped ---------------------------------------------------------------------------------- */

static bool is_over(void)
{
    return shim.stopped || shim.exit_status >= 0;
}

static int on_poll(JSRuntime *runtime, void *unused)
{
    if (shim.guarded)
        return 0;
    if (!shim.stopped && should_stop())
        shim.stopped = true;
    return is_over();
}

/* Sleeps, but not beyond the deadline. */
static void wait_for(double milliseconds)
{
    double most = (double)time_left(), wanted = milliseconds * NS_PER_MS;
    int64_t duration = (int64_t)(wanted < most ? wanted : most);
    struct timespec pause = {.tv_sec = duration / NS_PER_SECOND, .tv_nsec = duration % NS_PER_SECOND};

    nanosleep(&pause, NULL);
    if (should_stop())
        shim.stopped = true;
}

/* The harness ------------------------------------------------------------------------------------ */

JSValue call_hook(const char *name, int argc, JSValueConst *argv)
{
    JSValue hook = JS_GetPropertyStr(shim.harness, shim.hooks, name);
    JSValue answer = JS_Call(shim.harness, hook, JS_UNDEFINED, argc, argv);

    JS_FreeValue(shim.harness, hook);
    return answer;
}

/* What users' code may allocate in this turn. One that begins with the limit met can still let go of something. */
static void begin_memory(void)
{
    size_t limit = shim.base_used + HEAP_LIMIT;

    if (used_memory(shim.runtime) + LAST_ROOM > limit) {
        JS_RunGC(shim.runtime);
        limit = larger(limit, smaller(used_memory(shim.runtime) + LAST_ROOM, limit + MOST_OVER_LIMIT));
    }
    shim.memory_limit = limit;
    give_headroom(false);
}

void give_headroom(bool given)
{
    JS_SetMemoryLimit(shim.runtime, shim.memory_limit + (given ? HARNESS_HEADROOM : 0));
    allow_reserve(given);
}

/* A step of the harness. Its answer as a number; `failed` if it threw or gave none. */
static double step(const char *name, double argument, double failed)
{
    JSValue value = JS_NewNumber(shim.harness, argument);
    JSValue answer = call_hook(name, 1, (JSValueConst *)&value);
    double number = failed;

    if (JS_IsException(answer))
        JS_FreeValue(shim.harness, JS_GetException(shim.harness));
    else if (!JS_IsUndefined(answer))
        JS_ToFloat64(shim.harness, &number, answer);
    JS_FreeValue(shim.harness, answer);
    return number;
}

/* The same for a step that has to speak even when users' memory is used up. */
static double speaking_step(const char *name, double argument, double failed)
{
    double answer;

    give_headroom(true);
    answer = step(name, argument, failed);
    give_headroom(false);
    return answer;
}

/* The same for a step that, besides, runs nothing of the user's and must be finished. */
static double guarded_step(const char *name, double argument, double failed)
{
    double answer;

    shim.guarded = true;
    answer = speaking_step(name, argument, failed);
    shim.guarded = false;
    return answer;
}

/* Promises that were rejected, or handled later. The harness keeps the list. */
static void on_rejection(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool is_handled, void *unused)
{
    JSValue arguments[] = {JS_DupValue(ctx, promise), JS_DupValue(ctx, reason), JS_NewBool(ctx, is_handled)};
    JSValue answer;

    if (!JS_IsFunction(shim.harness, shim.system_error))
        return;
    answer = call_hook("rejection", COUNT(arguments), (JSValueConst *)arguments);
    if (JS_IsException(answer))
        JS_FreeValue(shim.harness, JS_GetException(shim.harness));
    JS_FreeValue(ctx, answer);
    JS_FreeValue(ctx, arguments[0]);
    JS_FreeValue(ctx, arguments[1]);
}

/* A turn ----------------------------------------------------------------------------------------- */

static void run_jobs(void)
{
    JSContext *ctx;
    int status;

    while (!is_over() && (status = JS_ExecutePendingJob(shim.runtime, &ctx)) != 0) {
        JSValue thrown;
        if (status > 0)
            continue;
        thrown = JS_GetException(ctx);
        if (!is_over())
            JS_FreeValue(ctx, call_hook("uncaught", 1, (JSValueConst *)&thrown));
        JS_FreeValue(ctx, thrown);
    }
}

/* The cell, and then its jobs and timers until nothing is left that could go on. */
static void execute(void)
{
    speaking_step("enter", 0, 0);
    step("start", 0, 0);
    while (!is_over()) {
        double wait;
        if (step("ticks", 0, 0) == 0) {
            run_jobs();
            if (is_over())
                break;
            wait = step("advance", 0, -1);
            if (wait < 0)
                break;
            if (wait > 0)
                wait_for(wait);
        }
    }
    if (!is_over())
        speaking_step("settle", 0, 0);
}

/* Zeroes what this turn has used of the stack, so that it does not have to be stored. */
static __attribute__((noinline)) void clear_stack(void)
{
    uintptr_t low = deepest_stack(shim.runtime);

    clear_words(low > UNNOTED_STACK ? low - UNNOTED_STACK : WORD, (uintptr_t)__builtin_frame_address(0));
}

static bool serve(void)
{
    enum { EXECUTE = 1, STOPPED = -2 };
    double operation;

    JS_UpdateStackTop(shim.runtime);
    watch_stack(shim.runtime);
    shim.stopped = false;
    shim.exit_status = -1;
    begin_memory();
    operation = guarded_step("begin", 0, -1);
    if (operation == EXECUTE)
        execute();
    if (is_over())
        drop_jobs(shim.runtime);
    return operation >= 0 && guarded_step("finish", shim.stopped ? STOPPED : shim.exit_status, -1) == 0;
}

EXPORT(turn) int turn(void)
{
    bool served = serve();

    refill_reserve(HARNESS_HEADROOM);
    clear_stack();
    return served ? 0 : 1;
}

/* Boot ------------------------------------------------------------------------------------------- */

EXPORT(reserve) void *reserve(size_t length)
{
    return malloc(length);
}

/* Evaluates a script of our own. Its source is not kept, so its functions print as native ones. */
static JSValue evaluate_own(JSContext *ctx, const char *source, size_t length, const char *name)
{
    JSValue script = JS_Eval(ctx, source, length, name, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
    size_t size;
    uint8_t *bytecode;

    if (JS_IsException(script))
        return script;
    bytecode = JS_WriteObject(ctx, &size, script, JS_WRITE_OBJ_BYTECODE | JS_WRITE_OBJ_STRIP_SOURCE);
    JS_FreeValue(ctx, script);
    if (!bytecode)
        return JS_EXCEPTION;
    script = JS_ReadObject(ctx, bytecode, size, JS_READ_OBJ_BYTECODE);
    js_free(ctx, bytecode);
    return JS_IsException(script) ? script : JS_EvalFunction(ctx, script);
}

/* A realm without shared memory: there are no threads to share it with. */
static JSContext *make_realm(void)
{
    static const char *const absent[] = {"SharedArrayBuffer", "Atomics"};
    JSContext *ctx = JS_NewContext(shim.runtime);
    JSValue global;

    if (!ctx)
        return NULL;
    global = JS_GetGlobalObject(ctx);
    for (int i = 0; i < COUNT(absent); i++) {
        JSAtom name = JS_NewAtom(ctx, absent[i]);
        JS_DeleteProperty(ctx, global, name, 0);
        JS_FreeAtom(ctx, name);
    }
    JS_FreeValue(ctx, global);
    return ctx;
}

static JSValue make_natives(JSContext *ctx)
{
    JSValue natives = JS_NewObjectProto(ctx, JS_NULL);

    add_file_natives(ctx, natives);
    add_machine_natives(ctx, natives);
    add_value_natives(ctx, natives);
    add_text_natives(ctx, natives);
    return natives;
}

/* Tells on stderr why the engine cannot start; the host shows that. */
static int fail(JSContext *ctx, const char *what)
{
    JSValue error = JS_GetException(ctx), stack = JS_GetPropertyStr(ctx, error, "stack");
    const char *text = JS_ToCString(ctx, JS_IsString(stack) ? stack : error);

    dprintf(2, "%s: %s\n", what, text ? text : "?");
    return 1;
}

/* `harness(native, global)` gives its `boot`, which is given what the user's realm made of itself. */
static int join_halves(JSValue harness, JSValue library)
{
    JSContext *user = shim.user, *ctx = shim.harness;
    JSValue own = make_natives(ctx), theirs = make_natives(user);
    JSValue globals[] = {JS_GetGlobalObject(ctx), JS_GetGlobalObject(user)};
    JSValue arguments[2] = {own, globals[0]}, boot, realm;

    add_harness_natives(ctx, own);
    boot = JS_Call(ctx, harness, JS_UNDEFINED, COUNT(arguments), (JSValueConst *)arguments);
    if (JS_IsException(boot))
        return fail(ctx, "the harness");
    arguments[0] = theirs;
    arguments[1] = globals[1];
    realm = JS_Call(user, library, JS_UNDEFINED, COUNT(arguments), (JSValueConst *)arguments);
    if (JS_IsException(realm))
        return fail(user, "the library");
    shim.system_error = JS_GetPropertyStr(user, realm, "systemError");
    arguments[0] = realm;
    shim.hooks = JS_Call(ctx, boot, JS_UNDEFINED, COUNT(arguments), (JSValueConst *)arguments);
    return JS_IsException(shim.hooks) ? fail(ctx, "the harness") : 0;
}

/* The scripts lie in memory from `reserve`. */
EXPORT(boot) int boot(char *harness, size_t harness_length, char *library, size_t library_length)
{
    JSValue halves[2];
    int status;

    shim.runtime = JS_NewRuntime();
    shim.user = make_realm();
    shim.harness = make_realm();
    if (!shim.user || !shim.harness)
        return 1;
    shim.system_error = shim.compiled = shim.hooks = JS_UNDEFINED;
    JS_SetMaxStackSize(shim.runtime, STACK_LIMIT);
    JS_SetHostPromiseRejectionTracker(shim.runtime, on_rejection, NULL);
    install_module_loader(shim.runtime);
    shim.guarded = true;
    JS_SetInterruptHandler(shim.runtime, on_poll, NULL);
    halves[0] = evaluate_own(shim.harness, harness, harness_length, ENGINE_SCRIPT_PREFIX "harness");
    halves[1] = evaluate_own(shim.user, library, library_length, ENGINE_SCRIPT_PREFIX "library");
    if (JS_IsException(halves[0]) || JS_IsException(halves[1]))
        return fail(JS_IsException(halves[0]) ? shim.harness : shim.user, "a script");
    free(harness);
    free(library);
    status = join_halves(halves[0], halves[1]);
    shim.guarded = false;
    JS_RunGC(shim.runtime);
    shim.base_used = used_memory(shim.runtime);
    /* A collection touches every object, and what it touches is stored: none is due for small programs. */
    JS_SetGCThreshold(shim.runtime, shim.base_used + GC_FIRST_ROOM);
    refill_reserve(HARNESS_HEADROOM);
    /* The image is kept as a file: what compiling has left in free memory need not be in it. */
    clear_free_memory();
    return status;
}
