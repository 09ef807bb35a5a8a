/*
 * Loading of ES modules: QuickJS asks, the harness answers.
 *
 * The hook `resolve(base, specifier)` gives the module's name, which is unique; `load(name)` gives either its
 * source text or, for a module that is made of an object, [names, values]. Both give an Error of the user's
 * realm instead when there is no such module.
 */
#include <string.h>

#include "interior.h"
#include "shim.h"

/* An answer of a hook that is no answer is what is wrong, and is thrown to the user. */
static void throw_answer(JSContext *ctx, JSValue answer)
{
    if (!JS_IsException(answer))
        JS_Throw(ctx, answer);
}

static char *resolve(JSContext *ctx, const char *base, const char *specifier, void *unused)
{
    JSValue arguments[] = {JS_NewString(ctx, base), JS_NewString(ctx, specifier)};
    JSValue answer = call_hook("resolve", COUNT(arguments), (JSValueConst *)arguments);
    const char *name;
    char *copy;

    JS_FreeValue(ctx, arguments[0]);
    JS_FreeValue(ctx, arguments[1]);
    if (!JS_IsString(answer)) {
        throw_answer(ctx, answer);
        return NULL;
    }
    name = JS_ToCString(ctx, answer);
    JS_FreeValue(ctx, answer);
    if (!name)
        return NULL;
    forget_failed_module(ctx, name);
    copy = js_strdup(ctx, name);
    JS_FreeCString(ctx, name);
    return copy;
}

/* Gives a module made of an object its values, when it is run. */
static int fill_made_module(JSContext *ctx, JSModuleDef *module)
{
    JSValue made = JS_GetModulePrivateValue(ctx, module);
    JSValue names = JS_GetPropertyUint32(ctx, made, 0), values = JS_GetPropertyUint32(ctx, made, 1);
    int64_t length = 0;

    JS_GetLength(ctx, names, &length);
    for (int64_t i = 0; i < length; i++) {
        JSValue name = JS_GetPropertyInt64(ctx, names, i);
        const char *text = JS_ToCString(ctx, name);
        if (text)
            JS_SetModuleExport(ctx, module, text, JS_GetPropertyInt64(ctx, values, i));
        JS_FreeCString(ctx, text);
        JS_FreeValue(ctx, name);
    }
    JS_FreeValue(ctx, names);
    JS_FreeValue(ctx, values);
    JS_FreeValue(ctx, made);
    return 0;
}

/* `made` is [names, values], in an array of the harness's. */
static JSModuleDef *make_module(JSContext *ctx, const char *name, JSValue made)
{
    JSModuleDef *module = JS_NewCModule(ctx, name, fill_made_module);
    JSValue names = JS_GetPropertyUint32(ctx, made, 0);
    int64_t length = 0;

    JS_GetLength(ctx, names, &length);
    for (int64_t i = 0; module && i < length; i++) {
        JSValue item = JS_GetPropertyInt64(ctx, names, i);
        const char *text = JS_ToCString(ctx, item);
        if (text)
            JS_AddModuleExport(ctx, module, text);
        JS_FreeCString(ctx, text);
        JS_FreeValue(ctx, item);
    }
    JS_FreeValue(ctx, names);
    if (module)
        JS_SetModulePrivateValue(ctx, module, made);
    else
        JS_FreeValue(ctx, made);
    return module;
}

static void describe_module(JSContext *ctx, JSModuleDef *module, JSValue name)
{
    JSValue meta = JS_GetImportMeta(ctx, module);
    JSValue arguments[] = {meta, name};

    JS_FreeValue(ctx, call_hook("describe", COUNT(arguments), (JSValueConst *)arguments));
    JS_FreeValue(ctx, meta);
    JS_FreeValue(ctx, name);
}

static JSModuleDef *compile_module(JSContext *ctx, const char *name, JSValue source)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, source);
    JSValue compiled = JS_EXCEPTION;
    JSModuleDef *module;

    JS_FreeValue(ctx, source);
    if (text)
        compiled = JS_Eval(ctx, text, length, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    JS_FreeCString(ctx, text);
    if (JS_IsException(compiled))
        return NULL;
    /* The realm's list of modules holds it. */
    module = JS_VALUE_GET_PTR(compiled);
    JS_FreeValue(ctx, compiled);
    describe_module(ctx, module, JS_NewString(ctx, name));
    return module;
}

static JSModuleDef *load(JSContext *ctx, const char *name, void *unused, JSValueConst attributes)
{
    JSValue argument = JS_NewString(ctx, name);
    JSValue answer = call_hook("load", 1, (JSValueConst *)&argument);

    JS_FreeValue(ctx, argument);
    if (JS_IsString(answer))
        return compile_module(ctx, name, answer);
    if (JS_IsArray(answer))
        return make_module(ctx, name, answer);
    throw_answer(ctx, answer);
    return NULL;
}

/* The only attribute is `type: "json"`. */
static int check_attributes(JSContext *ctx, void *unused, JSValueConst attributes)
{
    JSValue type = JS_GetPropertyStr(ctx, attributes, "type");
    const char *text = JS_IsString(type) ? JS_ToCString(ctx, type) : NULL;
    bool known = text && !strcmp(text, "json");

    if (!known)
        JS_ThrowTypeError(ctx, "Import attribute \"type\" with value \"%s\" is not supported", text ? text : "");
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, type);
    return known ? 0 : -1;
}

void install_module_loader(JSRuntime *runtime)
{
    JS_SetModuleLoaderFunc2(runtime, resolve, load, check_attributes, NULL);
}

JSValue run_module(JSContext *ctx, const char *name)
{
    JSModuleDef *module = find_or_load_module(ctx, name);
    JSValue pair[2];

    if (!module)
        return JS_EXCEPTION;
    pair[0] = JS_EvalFunction(ctx, module_value(ctx, module));
    if (JS_IsException(pair[0]))
        return JS_EXCEPTION;
    pair[1] = JS_GetModuleNamespace(ctx, module);
    return JS_NewArrayFrom(ctx, COUNT(pair), pair);
}
