/*
 * Clock, randomness, memory figures, and the end of an execution, for JavaScript.
 */
#include <time.h>
#include <unistd.h>

#include "interior.h"
#include "shim.h"

#define NATIVE(name) \
    static JSValue native_##name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

#define NS_PER_SECOND 1000000000LL
enum { WASM_PAGE = 65536, EXIT_STATUS_MASK = 255 };
/* The most that getentropy gives at once. */
enum { ENTROPY_BLOCK = 256 };

NATIVE(monotonic)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return JS_NewBigInt64(ctx, now.tv_sec * NS_PER_SECOND + now.tv_nsec);
}

NATIVE(random)
{
    size_t length;
    uint8_t *bytes = JS_GetUint8Array(ctx, &length, argv[0]);

    if (!bytes && JS_HasException(ctx))
        return JS_EXCEPTION;
    for (size_t at = 0; at < length; at += ENTROPY_BLOCK) {
        size_t part = length - at < ENTROPY_BLOCK ? length - at : ENTROPY_BLOCK;
        if (getentropy(bytes + at, part) < 0)
            return JS_ThrowInternalError(ctx, "no entropy");
    }
    return JS_UNDEFINED;
}

/* Seeds the user's Math.random, whoever asks for it. */
NATIVE(seed)
{
    uint64_t bits = 0;
    if (JS_ToBigUint64(ctx, &bits, argv[0]) < 0)
        return JS_EXCEPTION;
    seed_random(shim.user, bits);
    return JS_UNDEFINED;
}

NATIVE(memory)
{
    static const char *names[] = {"used", "limit", "total"};
    JSValue values[] = {
        JS_NewNumber(ctx, (double)(used_memory(shim.runtime) - shim.base_used)),
        JS_NewNumber(ctx, HEAP_LIMIT),
        JS_NewNumber(ctx, (double)__builtin_wasm_memory_size(0) * WASM_PAGE),
    };
    return JS_NewObjectFromStr(ctx, COUNT(values), names, values);
}

/* Ends the execution: no catch and no finally of the user's runs any more. */
NATIVE(exit)
{
    int32_t status = 0;
    JSValue error;

    if (JS_ToInt32(ctx, &status, argv[0]) < 0)
        return JS_EXCEPTION;
    shim.exit_status = status & EXIT_STATUS_MASK;
    error = JS_NewInternalError(ctx, "exit");
    JS_SetUncatchableError(ctx, error);
    return JS_Throw(ctx, error);
}

void add_machine_natives(JSContext *ctx, JSValueConst natives)
{
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("monotonic", 0, native_monotonic), JS_CFUNC_DEF("random", 1, native_random),
        JS_CFUNC_DEF("seed", 1, native_seed),           JS_CFUNC_DEF("memory", 0, native_memory),
        JS_CFUNC_DEF("exit", 1, native_exit),
    };
    JS_SetPropertyFunctionList(ctx, natives, functions, COUNT(functions));
}
