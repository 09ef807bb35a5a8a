/*
 * UTF-8 and scripts: the conversions that would be slow in JavaScript, and the evaluation of source text.
 */
#include <string.h>

#include "shim.h"

#define NATIVE(name) \
    static JSValue native_##name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

NATIVE(encode_utf8)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[0]);
    JSValue bytes;

    if (!text)
        return JS_EXCEPTION;
    bytes = JS_NewUint8ArrayCopy(ctx, (const uint8_t *)text, length);
    JS_FreeCString(ctx, text);
    return bytes;
}

/* Bytes of UTF-8; a lone surrogate has three. */
NATIVE(utf8_size)
{
    size_t length;
    const char *text = JS_ToCStringLen(ctx, &length, argv[0]);

    if (!text)
        return JS_EXCEPTION;
    JS_FreeCString(ctx, text);
    return JS_NewNumber(ctx, (double)length);
}

NATIVE(decode_utf8)
{
    size_t length;
    int64_t start = 0, end = 0;
    const uint8_t *bytes = JS_GetUint8Array(ctx, &length, argv[0]);

    if (!bytes && JS_HasException(ctx))
        return JS_EXCEPTION;
    if (JS_ToInt64(ctx, &start, argv[1]) < 0 || JS_ToInt64(ctx, &end, argv[2]) < 0)
        return JS_EXCEPTION;
    if (start < 0 || end < start || (uint64_t)end > length)
        return JS_ThrowRangeError(ctx, "the part lies outside of the array");
    return JS_NewStringLen(ctx, bytes ? (const char *)bytes + start : "", (size_t)(end - start));
}

/* A script of the realm that this function was made in, as an indirect eval. */
NATIVE(evaluate)
{
    size_t length;
    const char *code = JS_ToCStringLen(ctx, &length, argv[0]);
    const char *name = JS_ToCString(ctx, argv[1]);
    JSValue value = JS_EXCEPTION;

    if (code && name)
        value = JS_Eval(ctx, code, length, name, JS_EVAL_TYPE_GLOBAL);
    JS_FreeCString(ctx, code);
    JS_FreeCString(ctx, name);
    return value;
}

void add_text_natives(JSContext *ctx, JSValueConst natives)
{
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("encodeUtf8", 1, native_encode_utf8),
        JS_CFUNC_DEF("decodeUtf8", 3, native_decode_utf8),
        JS_CFUNC_DEF("utf8Size", 1, native_utf8_size),
        JS_CFUNC_DEF("evaluate", 2, native_evaluate),
    };
    JS_SetPropertyFunctionList(ctx, natives, functions, COUNT(functions));
}
