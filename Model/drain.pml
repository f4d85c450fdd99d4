/*
 * A model of `cancelAndDrain()`: posts announce each call in their lanes, without a fence, and whoever drains an observer
 * looks for such an announcement after a suspension. `Model/check` has spin go through every state of it.
 *
 * What is modelled: posts that walk through one chunk of observers, one lane each; drains, each of an observer of its own;
 * and store buffers (memory.pml). A suspension is a wait until the stores that were in the buffers when it began are written:
 * that is the one thing that the engine assumes about a processor and does not enforce.
 *
 * What is claimed:
 *
 *   - when a drain has returned, no call of its observer is running, and none begins;
 *   - a drain waits for no other observer: a call of the last observer here waits for all drains, a call of another one for
 *     those of the observers before it, and nobody waits for ever (spin would call that an invalid end state);
 *   - when all have ended, posts are no longer asked to tell that a call has ended.
 *
 * Each value of PLANTED is a mistake that spin has to find:
 *
 *   1  a drain looks without a suspension                                              it returns while a call is running
 *   2  when one drain ends, posts are not asked to tell, for a moment, for another     it waits for ever
 *   3  a post looks whether to tell after a call, before it announces the next one     a drain waits for another observer
 *   4  a drain looks before it asks posts to tell                                      it waits for ever
 */
#ifndef PLANTED
#define PLANTED 0
#endif
#ifndef POSTERS
#define POSTERS 2
#endif
#ifndef DRAINS
#define DRAINS 2
#endif

#define ENTRIES (DRAINS + 1)
#define BIT(n) (1 << (n))
#define DRAINED 128                       /* Chunk.isDrained */

#define DRAIN(n) (POSTERS + n)
#define PROCESSORS (POSTERS + DRAINS)

#define LIVE 0                            /* Chunk.Header.live */
#define OCCUPANT(l) (1 + (l))             /* Lane.occupant: whether a post of the channel is in it */
#define ENTRY(l) (1 + POSTERS + (l))      /* Lane.entry: the number of the entry that is called, plus one */
#define ADDRESSES (1 + 2 * POSTERS)

#define COUNTS_STORES
#include "memory.pml"

/* Under the channel's lock. */
bit isLocked;
byte begun;                               /* Drains.all, as bits of entries */
byte waiting;                             /* those of them that have a continuation */

/* What has happened, as bits of entries. */
byte woken;                               /* continuations that were resumed */
byte drained;                             /* drains that have returned */
byte calls[ENTRIES];                      /* how many calls are running */
byte finished;

/* Channel.isCalling: `calling_` becomes whether a lane announces a call of the entry. */
inline look(entry_, calling_) {
    lane = 0;
    calling_ = 0;
    do
    :: lane < POSTERS && !calling_ ->
        load(ENTRY(lane), seen);
        if
        :: seen == entry_ + 1 ->
            load(OCCUPANT(lane), seen);
            calling_ = seen
        :: else
        fi;
        lane++
    :: else -> break
    od;
    lane = 0; seen = 0
}

/* Drains.remove, of the drains `ended_` */
inline remove(ended_) {
    begun = begun & ~(ended_);
    waiting = waiting & ~(ended_);
    if
    :: (PLANTED == 2 || begun == 0) && (ended_) ->
        storeSequentially(LIVE, memory[LIVE] & ~DRAINED);
        if
        :: begun -> storeSequentially(LIVE, memory[LIVE] | DRAINED)
        :: else
        fi
    :: else
    fi
}

/* Channel.callEnded, with Drains.takeEnded. */
inline callEnded() {
    atomic { IS_FLUSHED && !isLocked -> isLocked = 1 }
    other = 0;
    do
    :: other < DRAINS ->
        if
        :: waiting & BIT(other) ->
            look(other, isCalling);
            ended = (isCalling -> ended : ended | BIT(other))
        :: else
        fi;
        other++
    :: else -> break
    od;
    remove(ended);
    atomic {
        IS_FLUSHED ->
        isLocked = 0;
        woken = woken | ended;
        ended = 0; other = 0; isCalling = 0
    }
}

/* TypedChannel.post, callEveryone, call, leave(chunk). */
proctype Post(byte me) {
    byte i, entry, pending, word, lane, seen, other, ended;
    bit isCalling;
    atomic { IS_FLUSHED -> memory[OCCUPANT(me)] = 1 }
    load(LIVE, pending);
    do
    :: entry < ENTRIES ->
        if
        :: pending & BIT(entry) ->
            store(ENTRY(me), entry + 1);
            atomic {
                load(LIVE, word);
                if
                :: word & BIT(entry) -> assert(!(drained & BIT(entry))); calls[entry]++
                :: else
                fi
            }
            if
            :: word & DRAINED && PLANTED != 3 -> callEnded()
            :: else
            fi;
            if
            :: word & BIT(entry) ->
                /* The call waits for the drains of the observers before this one. */
                atomic {
                    (drained & (BIT(entry) - 1)) == (BIT(entry) - 1) ->
                    assert(!(drained & BIT(entry)));
                    calls[entry]--
                }
                if
                :: PLANTED == 3 ->
                    load(LIVE, word);
                    if
                    :: word & DRAINED -> callEnded()
                    :: else
                    fi
                :: else
                fi
            :: else
            fi
        :: else
        fi;
        entry++
    :: else -> break
    od;
    store(ENTRY(me), 0);
    load(LIVE, word);
    if
    :: word & DRAINED -> callEnded()
    :: else
    fi;
    atomic { IS_FLUSHED -> memory[OCCUPANT(me)] = 0; finished++ }
}

/* NotificationToken.cancelAndDrain: Channel.cancel, Channel.drain. */
proctype Drain(byte me; byte entry) {
    byte i, lane, seen;
    byte target[POSTERS];
    bit isCalling;

    atomic { IS_FLUSHED && !isLocked -> isLocked = 1 }
    storeSequentially(LIVE, memory[LIVE] & ~BIT(entry));
    atomic { IS_FLUSHED -> isLocked = 0 }

    if
    :: PLANTED != 4 ->
        atomic { IS_FLUSHED && !isLocked -> isLocked = 1; begun = begun | BIT(entry) }
        storeSequentially(LIVE, memory[LIVE] | DRAINED);
        atomic { IS_FLUSHED -> isLocked = 0 }
    :: else
    fi;

    if
    :: PLANTED != 1 ->
        /* Task.yield */
        d_step {
            do
            :: i < POSTERS -> target[i] = written[i] + buffers[i].count; i++
            :: else -> break
            od;
            i = 0
        }
        do
        :: i < POSTERS -> atomic { written[i] >= target[i] -> target[i] = 0; i++ }
        :: else -> break
        od;
        i = 0
    :: else
    fi;

    atomic { IS_FLUSHED && !isLocked -> isLocked = 1 }
    look(entry, isCalling);
    if
    :: PLANTED == 4 ->
        begun = begun | BIT(entry);
        storeSequentially(LIVE, memory[LIVE] | DRAINED)
    :: else
    fi;
    if
    :: isCalling -> waiting = waiting | BIT(entry)
    :: else -> remove(BIT(entry))
    fi;
    atomic { IS_FLUSHED -> isLocked = 0 }
    if
    :: isCalling -> (woken & BIT(entry))
    :: else
    fi;
    atomic {
        assert(calls[entry] == 0);
        drained = drained | BIT(entry);
        finished++
    }
}

init {
    atomic {
        memory[LIVE] = BIT(ENTRIES) - 1;
        run Post(0);
#if POSTERS > 1
        run Post(1);
#endif
        run Drain(DRAIN(0), 0);
#if DRAINS > 1
        run Drain(DRAIN(1), 1);
#endif
    }
    atomic {
        finished == PROCESSORS ->
        assert(!(memory[LIVE] & DRAINED) && begun == 0)
    }
}
