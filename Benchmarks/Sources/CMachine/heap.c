#include "CMachine.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)

// Replaces the allocator's functions in the whole process, including C++ and the Swift runtime, and forwards each call.
// While nothing is watched, the cost is one test of a flag.

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static volatile bool is_watching;
static struct heap_use use;

// Includes the word before the block, which stores the block's size.
static int64_t size_of(void *block) {
    return block ? (int64_t)(malloc_usable_size(block) + sizeof(size_t)) : 0;
}

static void *made(void *block) {
    if (__builtin_expect(is_watching, 0) && block) {
        use.allocations += 1;
        use.bytes += size_of(block);
    }
    return block;
}

void *malloc(size_t size) {
    return made(__libc_malloc(size));
}

void *calloc(size_t count, size_t size) {
    return made(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
    if (__builtin_expect(is_watching, 0)) use.bytes -= size_of(block);
    return made(__libc_realloc(block, size));
}

void *memalign(size_t alignment, size_t size) {
    return made(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
    return made(__libc_memalign(alignment, size));
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    void *block = made(__libc_memalign(alignment, size));
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}

void free(void *block) {
    if (__builtin_expect(is_watching, 0)) use.bytes -= size_of(block);
    __libc_free(block);
}

bool heap_is_watched(void) {
    return true;
}

void heap_begin(void) {
    use = (struct heap_use){0, 0};
    is_watching = true;
}

struct heap_use heap_end(void) {
    is_watching = false;
    return use;
}

size_t heap_usable_size(const void *block) {
    return malloc_usable_size((void *)block);
}

#else

#include <malloc/malloc.h>

bool heap_is_watched(void) {
    return false;
}

void heap_begin(void) {}

struct heap_use heap_end(void) {
    return (struct heap_use){0, 0};
}

size_t heap_usable_size(const void *block) {
    return malloc_size(block);
}

#endif
