// The words that threads share, in the memory model of C++, which is also Swift's. relacy visits the interleavings of
// threads and, at each load, the values that the load may see.
//
// The orders have Swift's names. Each access has the name of its counterpart in the engine: the function, the variable
// and the operation. `Model/operations` compares names and orders with the Swift sources. On the command line, up to
// four steps can be made weaker, and a mistake in the protocol can be planted.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <relacy/relacy.hpp>

// relacy defines these words as macros, which also change code of the standard library.
#undef assert
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef new
#undef delete

static rl::memory_order const relaxed = rl::mo_relaxed;
static rl::memory_order const acquiring = rl::mo_acquire;
static rl::memory_order const releasing = rl::mo_release;
static rl::memory_order const acquiringAndReleasing = rl::mo_acq_rel;
static rl::memory_order const sequentiallyConsistent = rl::mo_seq_cst;

// The planted mistake of a run: weaker orders of some steps, or a named mistake that the code of the model checks for.
namespace planted {
struct Step {
    char const *name;
    rl::memory_order order;
};
inline Step steps[4];
inline unsigned count = 0;
inline char const *mistake = "";
inline bool wasMet = false;

inline rl::memory_order orderOf(char const *name, rl::memory_order intended) {
    for (unsigned index = 0; index < count; index++) {
        if (std::strcmp(name, steps[index].name) != 0) continue;
        wasMet = true;
        return steps[index].order;
    }
    return intended;
}

inline bool isMistake(char const *name) {
    if (std::strcmp(name, mistake) != 0) return false;
    wasMet = true;
    return true;
}
}  // namespace planted

#define PLANTED(name) ([] { static bool const is = planted::isMistake(name); return is; }())

// The order of a step, and the step's place in the source, for relacy's history of a failed run.
struct Order {
    rl::memory_order order;
    rl::debug_info where;
};
#define ORDER(name, order) \
    Order { [] { static rl::memory_order const used = planted::orderOf(name, order); return used; }(), $ }

// Ends a run in which a claim doesn't hold.
inline void fail(char const *what) { rl::ctx().fail_test(what, rl::test_result_user_assert_failed, $); }
inline void claim(bool holds, char const *what) {
    if (!holds) fail(what);
}

inline unsigned thisThread() { return rl::ctx().threadx_->index_; }

// Any number below a limit. relacy visits all of them.
inline unsigned any(unsigned limit) { return rl::rand(limit); }

// An atomic word.
class Word {
public:
    struct Exchanged {
        bool exchanged;
        unsigned original;
    };

    // Whether a failed compare-exchange may see an old value, which the language permits. relacy's own compare-exchange
    // always sees the newest value.
    static inline bool mayFailStale = false;

    explicit Word(unsigned value = 0) : word(value) {}

    unsigned load(Order o) { return word.load(o.order, o.where); }
    void store(unsigned value, Order o) { word.store(value, o.order, o.where); }
    unsigned exchange(unsigned value, Order o) { return word.exchange(value, o.order, o.where); }
    unsigned wrappingAdd(unsigned value, Order o) { return word.fetch_add(value, o.order, o.where) + value; }
    unsigned wrappingSubtract(unsigned value, Order o) { return word.fetch_sub(value, o.order, o.where) - value; }
    void bitwiseOr(unsigned value, Order o) { word.fetch_or(value, o.order, o.where); }
    void bitwiseAnd(unsigned value, Order o) { word.fetch_and(value, o.order, o.where); }

    Exchanged compareExchange(unsigned expected, unsigned desired, Order o) {
        return compareExchange(expected, desired, o, failing(o.order));
    }
    Exchanged compareExchange(unsigned expected, unsigned desired, Order o, rl::memory_order failing) {
        if (mayFailStale && any(4) == 0) {
            unsigned seen = word.load(failing, o.where);
            if (seen != expected) return {false, seen};
        }
        unsigned seen = expected;
        bool exchanged = word.compare_exchange_strong(seen, desired, o.order, o.where, failing, o.where);
        return {exchanged, seen};
    }

    // The kernel compares and sleeps in one step, which relacy can't interrupt.
    void waitWhileEqual(unsigned value) {
        if (word.debug_value() == value) word.wait(rl::ctx(), false, false, $);
    }
    void wake(unsigned count) { word.wake(rl::ctx(), count, $); }

    // The newest value, for claims.
    unsigned newest() const { return word.debug_value(); }

private:
    rl::atomic<unsigned> word;

    static rl::memory_order failing(rl::memory_order order) {
        return order == releasing ? relaxed : order == acquiringAndReleasing ? acquiring : order;
    }
};

static unsigned const mostThreads = 6;

// A moment on a thread. Any thread can check whether the moment happens before its current step, in the language's
// sense.
class Moment {
public:
    void set() {
        auto thread = rl::ctx().threadx_;
        index = thread->index_;
        time = ++thread->own_acq_rel_order_;
        isSet = true;
    }
    bool isBeforeNow() const { return isSet && rl::ctx().threadx_->acq_rel_order_[index] >= time; }
    bool isSetAtAll() const { return isSet; }

private:
    bool isSet = false;
    unsigned index = 0;
    rl::timestamp_t time = 0;
};

// Memory that isn't atomic. Each use must happen after the creation and before the freeing, in the language's sense.
// Being later or earlier by the clock isn't sufficient.
class Memory {
public:
    explicit Memory(char const *name) : name(name) {}

    void make() {
        last.set();
        exists = true;
    }
    void use() {
        if (!exists) broken("is used after it was freed");
        if (!last.isBeforeNow()) broken("is used by a thread that need not see it");
        uses[thisThread()].set();
    }
    void free() {
        if (!exists) broken("is freed twice");
        change("is freed while a thread may use it");
        exists = false;
    }
    void useAlone() {
        if (!exists) broken("is used after it was freed");
        change("is changed by two threads at once");
    }
    bool isThere() const { return exists; }

private:
    char const *name;
    bool exists = false;
    Moment last, uses[mostThreads];

    void change(char const *what) {
        if (!last.isBeforeNow()) broken(what);
        for (Moment const &use : uses)
            if (use.isSetAtAll() && !use.isBeforeNow()) broken(what);
        last.set();
    }
    void broken(char const *what) {
        static char message[200];
        std::snprintf(message, sizeof message, "%s %s", name, what);
        fail(message);
    }
};

// A fence in all threads of the process: each thread makes a fence at some moment between the beginning and the end of
// the call. The call is also a fence for the calling thread. README.md explains what a fence means to relacy, and which
// mistakes this may hide.
struct ProcessFence {
    rl::thread_info_base *threads[mostThreads] = {};

    // The first step of a thread. A thread that wasn't running when a fence was made was fenced by the context switch
    // to it.
    void enter() {
        rl::atomic_thread_fence(rl::mo_seq_cst, $);
        threads[thisThread()] = rl::ctx().threadx_;
    }

    void make() {
        rl::context &context = rl::ctx();
        rl::atomic_thread_fence(rl::mo_seq_cst, $);
        unsigned first = any(mostThreads);
        for (unsigned offset = 0; offset < mostThreads; offset++) {
            auto other = threads[(first + offset) % mostThreads], me = context.threadx_;
            if (!other || other == me) continue;
            context.sched();
            me = context.threadx_;
            // relacy makes a fence for the thread that it considers running, and must not switch to another thread now.
            rl::preemption_disabler here(context);
            context.threadx_ = other;
            context.atomic_thread_fence_seq_cst();
            context.threadx_ = me;
        }
        context.sched();
        rl::atomic_thread_fence(rl::mo_seq_cst, $);
    }
};
