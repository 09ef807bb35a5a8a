/*
 * What only the harness may do: read the request, reply, compile and start a cell, look at the user's realm.
 *
 * These functions are made in the harness's realm and act on the user's.
 */
#include <stdlib.h>
#include <string.h>

#include "allocator.h"
#include "interior.h"
#include "shim.h"

#define NATIVE(name) \
    static JSValue native_##name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

NATIVE(request)
{
    size_t length;
    char *data = device_read(&length);
    JSValue text;

    if (!data)
        return JS_ThrowInternalError(ctx, "no request");
    text = JS_NewStringLen(ctx, data, length);
    free(data);
    return text;
}

NATIVE(reply)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[0]);
    int status;

    if (!text)
        return JS_EXCEPTION;
    status = device_write(text, length);
    JS_FreeCString(ctx, text);
    return status ? JS_ThrowInternalError(ctx, "the reply cannot be written") : JS_UNDEFINED;
}

/* Compiles a cell for the user's realm. What is wrong with it is given back, not thrown. */
NATIVE(compile)
{
    enum {
        FLAGS = JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_ASYNC | JS_EVAL_FLAG_COMPILE_ONLY | JS_EVAL_FLAG_BACKTRACE_BARRIER
    };
    size_t length;
    const char *code = JS_ToCStringLen(ctx, &length, argv[0]);
    const char *name = JS_ToCString(ctx, argv[1]);
    JSValue compiled = JS_EXCEPTION;

    JS_FreeValue(ctx, shim.compiled);
    shim.compiled = JS_UNDEFINED;
    give_headroom(true);
    if (code && name)
        compiled = JS_Eval(shim.user, code, length, name, FLAGS);
    give_headroom(false);
    JS_FreeCString(ctx, code);
    JS_FreeCString(ctx, name);
    if (JS_IsException(compiled)) {
        JSValue problem = JS_GetException(shim.user);
        /* An end that was asked for while compiling is none of the code's problems. */
        return JS_IsUncatchableError(problem) ? JS_Throw(ctx, problem) : problem;
    }
    shim.compiled = compiled;
    return JS_UNDEFINED;
}

/* Runs the compiled cell as far as its first await: a promise of {value}. */
NATIVE(run)
{
    JSValue compiled = shim.compiled;

    shim.compiled = JS_UNDEFINED;
    return JS_EvalFunction(shim.user, compiled);
}

NATIVE(lexical_names)
{
    return lexical_names(shim.user);
}

NATIVE(stack)
{
    return recorded_stack(ctx, argv[0]);
}

NATIVE(tidy)
{
    JS_RunGC(shim.runtime);
    clear_free_memory();
    return JS_UNDEFINED;
}

NATIVE(is_json)
{
    return JS_NewBool(ctx, is_plain_json(shim.user, argv[0]));
}

NATIVE(run_module)
{
    const char *name = JS_ToCString(ctx, argv[0]);
    JSValue result;

    if (!name)
        return JS_EXCEPTION;
    result = run_module(shim.user, name);
    JS_FreeCString(ctx, name);
    return result;
}

void add_harness_natives(JSContext *ctx, JSValueConst natives)
{
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("request", 0, native_request), JS_CFUNC_DEF("reply", 1, native_reply),
        JS_CFUNC_DEF("compile", 2, native_compile), JS_CFUNC_DEF("run", 0, native_run),
        JS_CFUNC_DEF("lexicalNames", 0, native_lexical_names),
        JS_CFUNC_DEF("stack", 1, native_stack),     JS_CFUNC_DEF("runModule", 1, native_run_module),
        JS_CFUNC_DEF("isJson", 1, native_is_json),  JS_CFUNC_DEF("tidy", 0, native_tidy),
    };
    JS_SetPropertyFunctionList(ctx, natives, functions, COUNT(functions));
}
