#ifndef CTIDINGSATOMICS_H
#define CTIDINGSATOMICS_H

#include <stdbool.h>
#include <stdint.h>

// The operations of the engine's `Atomic`. Swift's own atomics need macOS 15. All functions are inline and called with
// constant orders, so each call becomes one atomic instruction of LLVM, which the thread sanitizer recognizes.

/// C's memory orders as constants, because Swift doesn't import the compiler's predefined macros.
enum {
    tidings_relaxed = __ATOMIC_RELAXED,
    tidings_acquiring = __ATOMIC_ACQUIRE,
    tidings_releasing = __ATOMIC_RELEASE,
    tidings_acquiring_and_releasing = __ATOMIC_ACQ_REL,
    tidings_sequentially_consistent = __ATOMIC_SEQ_CST,
};

static inline int32_t tidings_order_of_load(int32_t order) {
    if (order == __ATOMIC_ACQ_REL) return __ATOMIC_ACQUIRE;
    return order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED : order;
}

#define TIDINGS_ATOMIC(bits)                                                                                                       \
    static inline uint##bits##_t tidings_load_##bits(const uint##bits##_t *_Nonnull word, int32_t order) {                         \
        return __atomic_load_n(word, order);                                                                                       \
    }                                                                                                                              \
    static inline void tidings_store_##bits(uint##bits##_t *_Nonnull word, uint##bits##_t value, int32_t order) {                  \
        __atomic_store_n(word, value, order);                                                                                      \
    }                                                                                                                              \
    static inline uint##bits##_t tidings_exchange_##bits(uint##bits##_t *_Nonnull word, uint##bits##_t value, int32_t order) {     \
        return __atomic_exchange_n(word, value, order);                                                                            \
    }                                                                                                                              \
    /* Returns the previous value, which equals `expected` if the exchange took place. Never fails spuriously. */                  \
    static inline uint##bits##_t tidings_compare_exchange_##bits(                                                                  \
        uint##bits##_t *_Nonnull word, uint##bits##_t expected, uint##bits##_t desired, int32_t order) {                           \
        __atomic_compare_exchange_n(word, &expected, desired, false, order, tidings_order_of_load(order));                         \
        return expected;                                                                                                           \
    }                                                                                                                              \
    static inline uint##bits##_t tidings_add_##bits(uint##bits##_t *_Nonnull word, uint##bits##_t value, int32_t order) {          \
        return __atomic_fetch_add(word, value, order);                                                                             \
    }                                                                                                                              \
    static inline uint##bits##_t tidings_and_##bits(uint##bits##_t *_Nonnull word, uint##bits##_t value, int32_t order) {          \
        return __atomic_fetch_and(word, value, order);                                                                             \
    }                                                                                                                              \
    static inline uint##bits##_t tidings_or_##bits(uint##bits##_t *_Nonnull word, uint##bits##_t value, int32_t order) {           \
        return __atomic_fetch_or(word, value, order);                                                                              \
    }

TIDINGS_ATOMIC(8)
TIDINGS_ATOMIC(32)
TIDINGS_ATOMIC(64)

#undef TIDINGS_ATOMIC

static inline void tidings_fence_thread(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
