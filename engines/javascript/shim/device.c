/*
 * The private device: the request is read from it, the reply is appended to it.
 *
 * It is opened anew each time, so that no descriptor of the engine's is open while user code runs.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim.h"

static const char DEVICE[] = "/dev/torpor";
enum { FIRST_BLOCK = 4096 };

/* The whole request, to be freed by the caller; NULL when it cannot be read. */
char *device_read(size_t *length)
{
    size_t room = FIRST_BLOCK, used = 0;
    char *data = malloc(room);
    int fd = open(DEVICE, O_RDONLY);

    while (data && fd >= 0) {
        ssize_t got = read(fd, data + used, room - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        if (used == room) {
            char *larger = realloc(data, room *= 2);
            if (!larger)
                free(data);
            data = larger;
        }
    }
    if (fd >= 0)
        close(fd);
    *length = used;
    return data;
}

/* 0 when all of it was written. */
int device_write(const char *data, size_t length)
{
    int fd = open(DEVICE, O_WRONLY | O_APPEND);

    if (fd < 0)
        return -1;
    while (length > 0) {
        ssize_t put = write(fd, data, length);
        if (put <= 0)
            break;
        data += put;
        length -= (size_t)put;
    }
    close(fd);
    return length ? -1 : 0;
}
