/*
 * What JavaScript itself cannot say about values: promises' states, proxies' targets, true class names.
 */
#include "interior.h"
#include "shim.h"

#define NATIVE(name) \
    static JSValue native_##name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

NATIVE(promise)
{
    int state = JS_PromiseState(ctx, argv[0]);
    JSValue pair[2];

    if (state < 0)
        return JS_UNDEFINED;
    pair[0] = JS_NewInt32(ctx, state);
    pair[1] = state ? JS_PromiseResult(ctx, argv[0]) : JS_UNDEFINED;
    return JS_NewArrayFrom(ctx, COUNT(pair), pair);
}

/* A revoked proxy has neither target nor handler any more. */
static JSValue proxy_part(JSContext *ctx, JSValue part)
{
    if (!JS_IsException(part))
        return part;
    JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_NULL;
}

NATIVE(proxy)
{
    JSValue pair[2];

    if (!JS_IsProxy(argv[0]))
        return JS_UNDEFINED;
    pair[0] = proxy_part(ctx, JS_GetProxyTarget(ctx, argv[0]));
    pair[1] = proxy_part(ctx, JS_GetProxyHandler(ctx, argv[0]));
    return JS_NewArrayFrom(ctx, COUNT(pair), pair);
}

NATIVE(iterator)
{
    return preview_iterator(ctx, argv[0]);
}

NATIVE(class_name)
{
    JSAtom atom;
    JSValue name;

    if (!JS_IsObject(argv[0]))
        return JS_NewString(ctx, "");
    atom = JS_GetClassName(JS_GetRuntime(ctx), JS_GetClassID(argv[0]));
    name = JS_AtomToString(ctx, atom);
    JS_FreeAtom(ctx, atom);
    return name;
}

NATIVE(own_names)
{
    return named_keys(ctx, argv[0], JS_ToBool(ctx, argv[1]));
}

NATIVE(call_sites)
{
    return call_sites(ctx);
}

void add_value_natives(JSContext *ctx, JSValueConst natives)
{
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("promise", 1, native_promise),      JS_CFUNC_DEF("proxy", 1, native_proxy),
        JS_CFUNC_DEF("iterator", 1, native_iterator),    JS_CFUNC_DEF("className", 1, native_class_name),
        JS_CFUNC_DEF("ownNames", 2, native_own_names),   JS_CFUNC_DEF("callSites", 0, native_call_sites),
    };
    JS_SetPropertyFunctionList(ctx, natives, functions, COUNT(functions));
}
