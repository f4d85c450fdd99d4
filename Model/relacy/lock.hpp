// Support/Lock.swift, step for step, with the lock of Linux or the lock of another system.
#pragma once

#include "words.hpp"

// LockWord
struct LockWord {
    static unsigned const isFree = 0, held = 1, contended = 2, everyone = ~0u >> 1;

    // If true, a thread that finds the lock held sleeps until the unlock, whatever the word contains. The protocol of
    // `wait` and `wake` has the same effect in more steps. The cases with `kernel=1` check that protocol.
    static inline bool isShort = true;

    // Whether the lock is that of another system (`Mutex`). Such a lock only acquires and releases.
    static inline bool isForeign = false;

    Word word;
    // Claims that no two threads hold the lock at the same time, and that each holder sees the effects of the previous
    // holder.
    Memory guarded{"what a lock guards"};

    LockWord() { guarded.make(); }

    // Lock.withLock
    template <typename Step>
    void withLock(Step step) {
        lock();
        guarded.useAlone();
        step();
        guarded.useAlone();
        unlock();
    }

    // Lock.withLockIfAvailable
    template <typename Step>
    bool withLockIfAvailable(Step step) {
        if (!tryLock()) return false;
        guarded.useAlone();
        step();
        guarded.useAlone();
        unlock();
        return true;
    }

    // LockWord.lock
    void lock() {
        if (!tryLock()) wait();
    }

    // LockWord.tryLock
    bool tryLock() {
        if (isForeign) return word.compareExchange(isFree, held, Order{acquiring, $}, relaxed).exchanged;
        return word.compareExchange(isFree, held, ORDER("LockWord.tryLock word.compareExchange", sequentiallyConsistent)).exchanged;
    }

    // LockWord.unlock
    void unlock() {
        unsigned seen = isForeign
            ? word.exchange(isFree, Order{releasing, $})
            : word.exchange(isFree, ORDER("LockWord.unlock word.exchange", sequentiallyConsistent));
        if (isShort)
            word.wake(everyone);
        else if (seen == contended && !PLANTED("an unlock wakes no thread"))
            word.wake(1);
    }

    // Lock.fence
    static void fence() {
        Order o = ORDER("Lock.fence atomicMemoryFence", sequentiallyConsistent);
        if (isForeign && o.order != relaxed) rl::atomic_thread_fence(o.order, o.where);
    }

    // LockWord.wait, with one check before it sleeps
    void wait() {
        if (isShort) {
            do word.waitWhileEqual(held);
            while (!tryLock());
            return;
        }
        if (word.load(ORDER("LockWord.wait word.load", relaxed)) == isFree && tryLock()) return;
        unsigned taken = PLANTED("a thread that waited takes the lock as if no other thread waited") ? held : contended;
        while (word.exchange(taken, ORDER("LockWord.wait word.exchange", sequentiallyConsistent)) != isFree)
            word.waitWhileEqual(taken);
    }
};
