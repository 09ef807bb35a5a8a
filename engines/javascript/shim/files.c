/*
 * Files and streams for JavaScript: wasi-libc's calls, one function each.
 *
 * Flags and error numbers are Linux's on the JavaScript side, since that is what Node's programs know. A call
 * that fails throws what the library's `systemError` makes of it. Paths are absolute already.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim.h"

enum { FILE_MODE = 0644, FOLDER_MODE = 0755 };
enum { LINUX_EIO = 5 };
#define MS_PER_SECOND 1000.0
#define NS_PER_MS 1000000.0

/* Numbers ---------------------------------------------------------------------------------------- */

static const struct { int ours, linux; } ERRORS[] = {
    {EPERM, 1}, {ENOENT, 2}, {EINTR, 4}, {EIO, 5}, {ENXIO, 6}, {E2BIG, 7}, {EBADF, 9}, {EAGAIN, 11},
    {ENOMEM, 12}, {EACCES, 13}, {EFAULT, 14}, {EBUSY, 16}, {EEXIST, 17}, {EXDEV, 18}, {ENODEV, 19},
    {ENOTDIR, 20}, {EISDIR, 21}, {EINVAL, 22}, {ENFILE, 23}, {EMFILE, 24}, {ENOTTY, 25}, {EFBIG, 27},
    {ENOSPC, 28}, {ESPIPE, 29}, {EROFS, 30}, {EMLINK, 31}, {EPIPE, 32}, {ENAMETOOLONG, 36}, {ENOSYS, 38},
    {ENOTEMPTY, 39}, {ELOOP, 40}, {EOVERFLOW, 75}, {ENOTSUP, 95}, {EDQUOT, 122},
    /* No preopened folder is above the path: for a program there is nothing. */
    {ENOTCAPABLE, 2},
};

static int linux_errno(int number)
{
    for (int i = 0; i < COUNT(ERRORS); i++)
        if (ERRORS[i].ours == number)
            return ERRORS[i].linux;
    return LINUX_EIO;
}

enum {
    LINUX_O_ACCMODE = 03, LINUX_O_WRONLY = 01, LINUX_O_RDWR = 02, LINUX_O_CREAT = 0100, LINUX_O_EXCL = 0200,
    LINUX_O_TRUNC = 01000, LINUX_O_APPEND = 02000, LINUX_O_DIRECTORY = 0200000, LINUX_O_NOFOLLOW = 0400000
};

static int own_flags(int flags)
{
    int own;

    switch (flags & LINUX_O_ACCMODE) {
    case LINUX_O_WRONLY: own = O_WRONLY; break;
    case LINUX_O_RDWR: own = O_RDWR; break;
    default: own = O_RDONLY;
    }
    if (flags & LINUX_O_CREAT) own |= O_CREAT;
    if (flags & LINUX_O_EXCL) own |= O_EXCL;
    if (flags & LINUX_O_TRUNC) own |= O_TRUNC;
    if (flags & LINUX_O_APPEND) own |= O_APPEND;
    if (flags & LINUX_O_DIRECTORY) own |= O_DIRECTORY;
    if (flags & LINUX_O_NOFOLLOW) own |= O_NOFOLLOW;
    return own;
}

/* Answers ---------------------------------------------------------------------------------------- */

static JSValue throw_errno(JSContext *ctx, const char *syscall, const char *path, const char *destination)
{
    int number = errno;
    JSValue arguments[4] = {
        JS_NewInt32(ctx, linux_errno(number)), JS_NewString(ctx, syscall),
        path ? JS_NewString(ctx, path) : JS_UNDEFINED,
        destination ? JS_NewString(ctx, destination) : JS_UNDEFINED,
    };
    JSValue error;

    if (!JS_IsFunction(ctx, shim.system_error))
        error = JS_NewPlainError(ctx, "%s: %s", syscall, strerror(number));
    else
        error = JS_Call(ctx, shim.system_error, JS_UNDEFINED, COUNT(arguments), (JSValueConst *)arguments);
    for (int i = 0; i < COUNT(arguments); i++)
        JS_FreeValue(ctx, arguments[i]);
    return JS_IsException(error) ? error : JS_Throw(ctx, error);
}

/* The answer of a call that gives nothing but success. */
static JSValue done(JSContext *ctx, int status, const char *syscall, const char *path, const char *destination)
{
    return status < 0 ? throw_errno(ctx, syscall, path, destination) : JS_UNDEFINED;
}

static JSValue stat_values(JSContext *ctx, const struct stat *status)
{
    int mode = status->st_mode & S_IFMT;
    double values[] = {
        (double)status->st_dev, (double)status->st_ino,
        /* The sandbox has one user, who may do everything. */
        mode | (mode == S_IFDIR ? FOLDER_MODE : FILE_MODE),
        (double)status->st_nlink, (double)status->st_size,
        status->st_atim.tv_sec * MS_PER_SECOND + status->st_atim.tv_nsec / NS_PER_MS,
        status->st_mtim.tv_sec * MS_PER_SECOND + status->st_mtim.tv_nsec / NS_PER_MS,
        status->st_ctim.tv_sec * MS_PER_SECOND + status->st_ctim.tv_nsec / NS_PER_MS,
    };
    JSValue items[COUNT(values)];

    for (int i = 0; i < COUNT(values); i++)
        items[i] = JS_NewNumber(ctx, values[i]);
    return JS_NewArrayFrom(ctx, COUNT(items), items);
}

static struct timespec time_of(JSContext *ctx, JSValueConst milliseconds)
{
    double ms = 0;
    struct timespec moment;

    JS_ToFloat64(ctx, &ms, milliseconds);
    moment.tv_sec = (time_t)(ms / MS_PER_SECOND);
    moment.tv_nsec = (long)((ms - moment.tv_sec * MS_PER_SECOND) * NS_PER_MS);
    if (moment.tv_nsec < 0) {
        moment.tv_sec -= 1;
        moment.tv_nsec += (long)(MS_PER_SECOND * NS_PER_MS);
    }
    return moment;
}

static int fd_of(JSContext *ctx, JSValueConst value)
{
    int32_t fd = -1;
    JS_ToInt32(ctx, &fd, value);
    return fd;
}

#define NATIVE(name) \
    static JSValue native_##name(JSContext *ctx, JSValueConst this_value, int argc, JSValueConst *argv)

/* Runs `body` with argument 0 as the C string `path`. */
#define WITH_PATH(body)                             \
    const char *path = JS_ToCString(ctx, argv[0]);  \
    JSValue answer;                                 \
    if (!path)                                      \
        return JS_EXCEPTION;                        \
    body;                                           \
    JS_FreeCString(ctx, path);                      \
    return answer

#define WITH_TWO_PATHS(body)                           \
    const char *path = JS_ToCString(ctx, argv[0]);     \
    const char *second = JS_ToCString(ctx, argv[1]);   \
    JSValue answer = JS_EXCEPTION;                     \
    if (path && second) {                              \
        body;                                          \
    }                                                  \
    JS_FreeCString(ctx, path);                         \
    JS_FreeCString(ctx, second);                       \
    return answer

/* Descriptors ------------------------------------------------------------------------------------ */

NATIVE(write)
{
    int fd = fd_of(ctx, argv[0]);
    size_t length, left;
    const char *text = NULL, *data;

    if (JS_IsObject(argv[1]))
        data = (const char *)JS_GetUint8Array(ctx, &length, argv[1]);
    else
        data = text = JS_ToCStringLen(ctx, &length, argv[1]);
    if (!data && JS_HasException(ctx))
        return JS_EXCEPTION;
    for (left = length; left > 0;) {
        ssize_t put = write(fd, data + (length - left), left);
        if (put < 0) {
            JS_FreeCString(ctx, text);
            return throw_errno(ctx, "write", NULL, NULL);
        }
        left -= (size_t)put;
    }
    JS_FreeCString(ctx, text);
    return JS_NewNumber(ctx, (double)length);
}

NATIVE(open)
{
    int32_t flags = 0;
    JS_ToInt32(ctx, &flags, argv[1]);
    WITH_PATH({
        int fd = open(path, own_flags(flags), FILE_MODE);
        answer = fd < 0 ? throw_errno(ctx, "open", path, NULL) : JS_NewInt32(ctx, fd);
    });
}

NATIVE(close)
{
    return done(ctx, close(fd_of(ctx, argv[0])), "close", NULL, NULL);
}

/* The part of a Uint8Array that arguments 1 to 3 of a call name: array, offset, length. */
static uint8_t *part_of_array(JSContext *ctx, JSValueConst *argv, size_t *length)
{
    size_t whole;
    int64_t offset = 0, wanted = 0;
    uint8_t *bytes = JS_GetUint8Array(ctx, &whole, argv[1]);

    if (!bytes && JS_HasException(ctx))
        return NULL;
    if (JS_ToInt64(ctx, &offset, argv[2]) < 0 || JS_ToInt64(ctx, &wanted, argv[3]) < 0)
        return NULL;
    if (offset < 0 || wanted < 0 || (uint64_t)offset > whole || (uint64_t)wanted > whole - (uint64_t)offset) {
        JS_ThrowRangeError(ctx, "the part lies outside of the array");
        return NULL;
    }
    *length = (size_t)wanted;
    /* An empty array may have no memory at all. */
    return bytes ? bytes + offset : (uint8_t *)"";
}

NATIVE(read)
{
    int fd = fd_of(ctx, argv[0]);
    int64_t position = -1;
    size_t length;
    uint8_t *into = part_of_array(ctx, argv, &length);
    ssize_t got;

    if (!into || JS_ToInt64(ctx, &position, argv[4]) < 0)
        return JS_EXCEPTION;
    got = position < 0 ? read(fd, into, length) : pread(fd, into, length, position);
    return got < 0 ? throw_errno(ctx, "read", NULL, NULL) : JS_NewNumber(ctx, (double)got);
}

NATIVE(pwrite)
{
    int fd = fd_of(ctx, argv[0]);
    int64_t position = 0;
    size_t length;
    uint8_t *from = part_of_array(ctx, argv, &length);
    ssize_t put;

    if (!from || JS_ToInt64(ctx, &position, argv[4]) < 0)
        return JS_EXCEPTION;
    put = pwrite(fd, from, length, position);
    return put < 0 ? throw_errno(ctx, "write", NULL, NULL) : JS_NewNumber(ctx, (double)put);
}

NATIVE(fstat)
{
    struct stat status;
    int fd = fd_of(ctx, argv[0]);
    return fstat(fd, &status) < 0 ? throw_errno(ctx, "fstat", NULL, NULL) : stat_values(ctx, &status);
}

NATIVE(ftruncate)
{
    int64_t length = 0;
    JS_ToInt64(ctx, &length, argv[1]);
    return done(ctx, ftruncate(fd_of(ctx, argv[0]), length), "ftruncate", NULL, NULL);
}

NATIVE(futimes)
{
    struct timespec times[2] = {time_of(ctx, argv[1]), time_of(ctx, argv[2])};
    return done(ctx, futimens(fd_of(ctx, argv[0]), times), "futime", NULL, NULL);
}

NATIVE(fsync)
{
    return done(ctx, fsync(fd_of(ctx, argv[0])), "fsync", NULL, NULL);
}

/* Paths ------------------------------------------------------------------------------------------ */

NATIVE(stat)
{
    struct stat status;
    WITH_PATH(answer = stat(path, &status) < 0 ? throw_errno(ctx, "stat", path, NULL)
                                               : stat_values(ctx, &status));
}

NATIVE(lstat)
{
    struct stat status;
    WITH_PATH(answer = lstat(path, &status) < 0 ? throw_errno(ctx, "lstat", path, NULL)
                                                : stat_values(ctx, &status));
}

NATIVE(truncate)
{
    int64_t length = 0;
    JS_ToInt64(ctx, &length, argv[1]);
    WITH_PATH(answer = done(ctx, truncate(path, length), "truncate", path, NULL));
}

NATIVE(utimes)
{
    struct timespec times[2] = {time_of(ctx, argv[1]), time_of(ctx, argv[2])};
    WITH_PATH(answer = done(ctx, utimensat(AT_FDCWD, path, times, 0), "utime", path, NULL));
}

NATIVE(mkdir)
{
    WITH_PATH(answer = done(ctx, mkdir(path, FOLDER_MODE), "mkdir", path, NULL));
}

NATIVE(rmdir)
{
    WITH_PATH(answer = done(ctx, rmdir(path), "rmdir", path, NULL));
}

NATIVE(unlink)
{
    WITH_PATH(answer = done(ctx, unlink(path), "unlink", path, NULL));
}

NATIVE(rename)
{
    WITH_TWO_PATHS(answer = done(ctx, rename(path, second), "rename", path, second));
}

NATIVE(link)
{
    WITH_TWO_PATHS(answer = done(ctx, link(path, second), "link", path, second));
}

NATIVE(symlink)
{
    WITH_TWO_PATHS(answer = done(ctx, symlink(path, second), "symlink", path, second));
}

NATIVE(readlink)
{
    char target[PATH_MAX];
    WITH_PATH({
        ssize_t length = readlink(path, target, sizeof(target));
        answer = length < 0 ? throw_errno(ctx, "readlink", path, NULL)
                            : JS_NewStringLen(ctx, target, (size_t)length);
    });
}

static const char *type_letter(unsigned char type)
{
    switch (type) {
    case DT_REG: return "f";
    case DT_DIR: return "d";
    case DT_LNK: return "l";
    default: return "?";
    }
}

static JSValue list_folder(JSContext *ctx, DIR *folder)
{
    JSValue list = JS_NewArray(ctx);
    struct dirent *entry;
    uint32_t count = 0;

    while ((entry = readdir(folder))) {
        JSValue pair[2];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        pair[0] = JS_NewString(ctx, entry->d_name);
        pair[1] = JS_NewString(ctx, type_letter(entry->d_type));
        JS_DefinePropertyValueUint32(ctx, list, count++, JS_NewArrayFrom(ctx, COUNT(pair), pair), JS_PROP_C_W_E);
    }
    return list;
}

NATIVE(readdir)
{
    WITH_PATH({
        DIR *folder = opendir(path);
        answer = folder ? list_folder(ctx, folder) : throw_errno(ctx, "scandir", path, NULL);
        if (folder)
            closedir(folder);
    });
}

void add_file_natives(JSContext *ctx, JSValueConst natives)
{
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("write", 2, native_write),         JS_CFUNC_DEF("open", 3, native_open),
        JS_CFUNC_DEF("close", 1, native_close),         JS_CFUNC_DEF("read", 5, native_read),
        JS_CFUNC_DEF("pwrite", 5, native_pwrite),       JS_CFUNC_DEF("stat", 1, native_stat),
        JS_CFUNC_DEF("lstat", 1, native_lstat),         JS_CFUNC_DEF("fstat", 1, native_fstat),
        JS_CFUNC_DEF("truncate", 2, native_truncate),   JS_CFUNC_DEF("ftruncate", 2, native_ftruncate),
        JS_CFUNC_DEF("utimes", 3, native_utimes),       JS_CFUNC_DEF("futimes", 3, native_futimes),
        JS_CFUNC_DEF("fsync", 1, native_fsync),         JS_CFUNC_DEF("mkdir", 2, native_mkdir),
        JS_CFUNC_DEF("rmdir", 1, native_rmdir),         JS_CFUNC_DEF("unlink", 1, native_unlink),
        JS_CFUNC_DEF("rename", 2, native_rename),       JS_CFUNC_DEF("link", 2, native_link),
        JS_CFUNC_DEF("symlink", 2, native_symlink),     JS_CFUNC_DEF("readlink", 1, native_readlink),
        JS_CFUNC_DEF("readdir", 1, native_readdir),
    };
    JS_SetPropertyFunctionList(ctx, natives, functions, COUNT(functions));
}
