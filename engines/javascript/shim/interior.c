/*
 * QuickJS itself, compiled together with what reaches into it: see interior.h.
 */
#include "quickjs.c"

#include "interior.h"

void seed_random(JSContext *ctx, uint64_t bits)
{
    /* xorshift cannot leave zero */
    ctx->random_state = bits ? bits : 1;
}

void watch_stack(JSRuntime *runtime)
{
    runtime->stack_low = js_get_stack_pointer();
}

uintptr_t deepest_stack(JSRuntime *runtime)
{
    return runtime->stack_low;
}

size_t used_memory(JSRuntime *runtime)
{
    return runtime->malloc_state.malloc_size;
}

void drop_jobs(JSRuntime *runtime)
{
    struct list_head *el, *next;

    list_for_each_safe(el, next, &runtime->job_list) {
        JSJobEntry *job = list_entry(el, JSJobEntry, link);
        list_del(&job->link);
        for (int i = 0; i < job->argc; i++)
            JS_FreeValueRT(runtime, job->argv[i]);
        js_free_rt(runtime, job);
    }
}

void forget_failed_module(JSContext *ctx, const char *name)
{
    struct list_head *el, *next;
    JSAtom atom = JS_NewAtom(ctx, name);

    list_for_each_safe(el, next, &ctx->loaded_modules) {
        JSModuleDef *module = list_entry(el, JSModuleDef, link);
        if (module->module_name == atom && module->eval_has_exception) {
            /* Modules that imported it may still point to it, so it is only taken out of the list. */
            list_del(&module->link);
            init_list_head(&module->link);
        }
    }
    JS_FreeAtom(ctx, atom);
}

JSModuleDef *find_or_load_module(JSContext *ctx, const char *name)
{
    JSModuleDef *module = js_host_resolve_imported_module(ctx, "", name, JS_UNDEFINED);

    if (module && js_resolve_module(ctx, module) < 0) {
        js_free_modules(ctx, JS_FREE_MODULE_NOT_RESOLVED);
        return NULL;
    }
    return module;
}

JSValue module_value(JSContext *ctx, JSModuleDef *module)
{
    return JS_NewModuleValue(ctx, module);
}

JSValue lexical_names(JSContext *ctx)
{
    return js_dup(ctx->global_var_obj);
}

static JSValue map_entry(JSContext *ctx, JSMapRecord *record, JSIteratorKindEnum kind, bool is_set)
{
    JSValue pair[2];

    if (kind == JS_ITERATOR_KIND_KEY || (is_set && kind == JS_ITERATOR_KIND_VALUE))
        return js_dup(record->key);
    if (kind == JS_ITERATOR_KIND_VALUE)
        return js_dup(record->value);
    pair[0] = js_dup(record->key);
    pair[1] = js_dup(is_set ? record->key : record->value);
    return JS_NewArrayFrom(ctx, 2, pair);
}

static const char *kind_name(JSIteratorKindEnum kind)
{
    switch (kind) {
    case JS_ITERATOR_KIND_KEY: return "keys";
    case JS_ITERATOR_KIND_VALUE: return "values";
    default: return "entries";
    }
}

JSValue preview_iterator(JSContext *ctx, JSValueConst value)
{
    JSClassID class_id = JS_GetClassID(value);
    bool is_set = class_id == JS_CLASS_SET_ITERATOR;
    JSMapIteratorData *iterator;
    JSValue preview, items;
    uint32_t count = 0;

    if (!is_set && class_id != JS_CLASS_MAP_ITERATOR)
        return JS_UNDEFINED;
    iterator = JS_VALUE_GET_OBJ(value)->u.map_iterator_data;
    preview = JS_NewObject(ctx);
    items = JS_NewArray(ctx);
    if (JS_IsException(preview) || JS_IsException(items))
        return JS_EXCEPTION;
    if (iterator && JS_IsObject(iterator->obj)) {
        JSMapState *state = JS_VALUE_GET_OBJ(iterator->obj)->u.map_state;
        struct list_head *el = iterator->cur_record ? iterator->cur_record->link.next : state->records.next;
        for (; el != &state->records; el = el->next) {
            JSMapRecord *record = list_entry(el, JSMapRecord, link);
            if (!record->empty)
                JS_DefinePropertyValueUint32(ctx, items, count++, map_entry(ctx, record, iterator->kind, is_set),
                                             JS_PROP_C_W_E);
        }
        JS_DefinePropertyValueStr(ctx, preview, "kind", JS_NewString(ctx, kind_name(iterator->kind)),
                                  JS_PROP_C_W_E);
    } else {
        JS_DefinePropertyValueStr(ctx, preview, "kind", JS_NewString(ctx, "values"), JS_PROP_C_W_E);
    }
    JS_DefinePropertyValueStr(ctx, preview, "items", items, JS_PROP_C_W_E);
    return preview;
}

static JSValue call_site(JSContext *ctx, JSStackFrame *frame, JSFunctionBytecode *code)
{
    const char *name = get_func_name(ctx, frame->cur_func);
    int line = 0, column = 0;
    JSValue site[4];

    if (code && frame->cur_pc)
        line = find_line_num(ctx, code, frame->cur_pc - code->byte_code_buf - 1, &column);
    site[0] = JS_NewString(ctx, name && name[0] != '<' ? name : "");
    site[1] = code && code->filename ? JS_AtomToString(ctx, code->filename) : js_empty_string(ctx->rt);
    site[2] = js_int32(line);
    site[3] = js_int32(column);
    JS_FreeCString(ctx, name);
    return JS_NewArrayFrom(ctx, countof(site), site);
}

JSValue call_sites(JSContext *ctx)
{
    JSValue sites = JS_NewArray(ctx);
    uint32_t count = 0;

    for (JSStackFrame *frame = ctx->rt->current_stack_frame; frame; frame = frame->prev_frame) {
        JSFunctionBytecode *code = frame_bytecode(frame);
        if (!code || is_engine_frame(ctx, frame))
            continue;
        JS_DefinePropertyValueUint32(ctx, sites, count++, call_site(ctx, frame, code), JS_PROP_C_W_E);
        if (code->backtrace_barrier)
            break;
    }
    return sites;
}

JSValue recorded_stack(JSContext *ctx, JSValueConst value)
{
    JSObject *object;
    JSProperty *property;
    JSShapeProperty *shape;

    if (!JS_IsObject(value))
        return JS_UNDEFINED;
    object = JS_VALUE_GET_OBJ(value);
    shape = find_own_property(&property, object, JS_ATOM_stack);
    if (shape)
        return (shape->flags & JS_PROP_TMASK) == JS_PROP_NORMAL ? js_dup(property->u.value) : JS_UNDEFINED;
    return object->class_id == JS_CLASS_ERROR ? js_dup(object->u.object_data) : JS_UNDEFINED;
}

static void add_key(JSContext *ctx, JSValueConst list, uint32_t *count, JSAtom atom)
{
    uint32_t index;

    if (!JS_AtomIsArrayIndex(ctx, &index, atom))
        JS_DefinePropertyValueUint32(ctx, list, (*count)++, JS_AtomToValue(ctx, atom), JS_PROP_C_W_E);
}

/* The keys of an object that answers itself: a proxy, a module's namespace. */
static int add_asked_keys(JSContext *ctx, JSValueConst list, JSValueConst object, int flags)
{
    JSPropertyEnum *keys;
    uint32_t length, count = 0;

    if (JS_GetOwnPropertyNames(ctx, &keys, &length, object, flags) < 0)
        return -1;
    for (uint32_t i = 0; i < length; i++)
        add_key(ctx, list, &count, keys[i].atom);
    JS_FreePropertyEnum(ctx, keys, length);
    return 0;
}

static void add_own_keys(JSContext *ctx, JSValueConst list, JSObject *object, bool symbols, bool only_enumerable,
                         uint32_t *count)
{
    JSShape *shape = object->shape;
    JSShapeProperty *property = get_shape_prop(shape);

    for (int i = 0; i < shape->prop_count; i++, property++) {
        JSAtomKindEnum kind;
        if (property->atom == JS_ATOM_NULL || (only_enumerable && !(property->flags & JS_PROP_ENUMERABLE)))
            continue;
        kind = JS_AtomGetKind(ctx, property->atom);
        if (kind == (symbols ? JS_ATOM_KIND_SYMBOL : JS_ATOM_KIND_STRING))
            add_key(ctx, list, count, property->atom);
    }
}

JSValue named_keys(JSContext *ctx, JSValueConst value, bool only_enumerable)
{
    JSObject *object;
    JSValue list;
    uint32_t count = 0;

    if (!JS_IsObject(value))
        return JS_ThrowTypeErrorNotAnObject(ctx);
    object = JS_VALUE_GET_OBJ(value);
    list = JS_NewArray(ctx);
    if (JS_IsException(list))
        return list;
    if (object->is_exotic && !object->fast_array && object->class_id != JS_CLASS_STRING) {
        int flags = JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK | (only_enumerable ? JS_GPN_ENUM_ONLY : 0);
        if (add_asked_keys(ctx, list, value, flags) < 0) {
            JS_FreeValue(ctx, list);
            return JS_EXCEPTION;
        }
        return list;
    }
    add_own_keys(ctx, list, object, false, only_enumerable, &count);
    add_own_keys(ctx, list, object, true, only_enumerable, &count);
    return list;
}

/* How deep JSON may be nested for the host to take it, and how many values are looked at. */
enum { JSON_DEPTH = 150, JSON_VALUES = 2000000 };

struct json_walk {
    JSContext *user;
    JSObject *object_prototype, *array_prototype;
    int left;
};

static bool is_json(struct json_walk *walk, JSValueConst value, int depth);

/* An array's elements beside its length, or an object's properties. */
static bool are_json_properties(struct json_walk *walk, JSObject *object, bool is_array, int depth)
{
    JSShapeProperty *property = get_shape_prop(object->shape);

    for (int i = 0; i < object->shape->prop_count; i++, property++) {
        if (property->atom == JS_ATOM_NULL || !(property->flags & JS_PROP_ENUMERABLE))
            continue;
        if (is_array || (property->flags & JS_PROP_TMASK) != JS_PROP_NORMAL)
            return false;
        if (JS_AtomGetKind(walk->user, property->atom) != JS_ATOM_KIND_STRING)
            return false;
        if (!is_json(walk, object->prop[i].u.value, depth + 1))
            return false;
    }
    return true;
}

static bool is_json_array(struct json_walk *walk, JSObject *object, int depth)
{
    int64_t length;

    /* A sparse array has holes, which JSON would call null. */
    if (!object->fast_array || object->shape->proto != walk->array_prototype)
        return false;
    if (js_get_length64(walk->user, &length, JS_MKPTR(JS_TAG_OBJECT, object)) || length != object->u.array.count)
        return false;
    for (uint32_t i = 0; i < object->u.array.count; i++)
        if (!is_json(walk, object->u.array.u.values[i], depth + 1))
            return false;
    return are_json_properties(walk, object, true, depth);
}

static bool is_json(struct json_walk *walk, JSValueConst value, int depth)
{
    JSObject *object;
    double number;

    if (--walk->left < 0)
        return false;
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_INT:
    case JS_TAG_BOOL:
    case JS_TAG_NULL:
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
        return true;
    case JS_TAG_FLOAT64:
        number = JS_VALUE_GET_FLOAT64(value);
        /* JSON.stringify loses the sign of a negative zero. */
        return isfinite(number) && !(number == 0 && signbit(number));
    case JS_TAG_OBJECT:
        break;
    default:
        return false;
    }
    object = JS_VALUE_GET_OBJ(value);
    if (depth >= JSON_DEPTH)
        return false;
    if (object->class_id == JS_CLASS_ARRAY)
        return is_json_array(walk, object, depth);
    if (object->class_id != JS_CLASS_OBJECT || object->is_exotic)
        return false;
    if (object->shape->proto && object->shape->proto != walk->object_prototype)
        return false;
    return are_json_properties(walk, object, false, depth);
}

bool is_plain_json(JSContext *user, JSValueConst value)
{
    struct json_walk walk = {
        .user = user,
        .object_prototype = JS_VALUE_GET_OBJ(user->class_proto[JS_CLASS_OBJECT]),
        .array_prototype = JS_VALUE_GET_OBJ(user->class_proto[JS_CLASS_ARRAY]),
        .left = JSON_VALUES,
    };
    return is_json(&walk, value, 0);
}
