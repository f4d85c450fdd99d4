/*
 * A model of `cancelAndDrain()`. Posts announce each call in their lanes, without a fence. A drain of an observer makes a fence for
 * all processors, and then searches the lanes for such an announcement. `Model/check` makes spin visit every state.
 *
 * The model includes posts, each in its own lane, that walk through one chunk of observers. It also includes drains of different
 * observers, store buffers (memory.pml), and the fence of a whole process. This fence isn't a single step: each processor fences
 * at a different moment between the beginning and the end of the call.
 *
 * If the system has no such fence (FENCE=0), a drain waits until the stores that were in the buffers when the wait began are
 * written. Then it marks the lanes of the posts in progress, and searches them. The wait may be too short (OUTLASTS=0). In this
 * case, a drain may return early, but must not wait forever.
 *
 * Claims:
 *
 *   - When a drain has returned, no call of its observer is running, and none begins. (Not with OUTLASTS=0.)
 *   - A drain doesn't wait for another observer. To check this, each call waits for the drains of the observers before its own.
 *     Nothing waits forever. spin reports a process that does as an invalid end state. With OUTLASTS=0, calls don't wait, and a
 *     drain may wait for the end of a post.
 *   - When all drains have ended, no post has to report the end of a call.
 *
 * Each value of PLANTED is a mistake that spin has to find, with its effect:
 *
 *   1  a drain relies on a suspension, which may be short, and makes no fence          it returns while a call is running
 *   2  when a drain ends, posts briefly don't report for another drain                 it waits forever
 *   3  a post checks whether to report a call before it announces the next one         a drain waits for another observer
 *   4  a drain requests reports only after its fence                                   it waits forever
 *   5  the same as 1, but a drain may return early                                     it waits forever
 *   6  without a fence, a drain doesn't search again after marking the lanes           it waits forever
 *   7  a marked post leaves without reporting                                          it waits forever
 */
#ifndef PLANTED
#define PLANTED 0
#endif
/* Whether the system has a fence for all processors. */
#ifndef FENCE
#define FENCE (PLANTED < 6)
#endif
/* Whether the fence or the wait of a drain before its search outlasts the store buffers. */
#ifndef OUTLASTS
#define OUTLASTS (PLANTED != 1 && PLANTED < 5)
#endif
/* Whether a drain may return early. Then only a drain that waits forever is a mistake. */
#define MAY_RETURN_EARLY (!OUTLASTS && PLANTED != 1)
#ifndef POSTERS
#define POSTERS 2
#endif
#ifndef DRAINS
#define DRAINS 2
#endif

#define ENTRIES (DRAINS + 1)
#define BIT(n) (1 << (n))
#define DRAINED 128                       /* Chunk.drainBit */

#define DRAIN(n) (POSTERS + n)
#define PROCESSORS (POSTERS + DRAINS)

#define LIVE 0                            /* Chunk.Header.live */
#define OCCUPANT(l) (1 + (l))             /* Lane.occupant: a post of the channel, and whether it is marked */
#define ANNOUNCED(l) (1 + POSTERS + (l))  /* Lane.announced: the number of the entry that is called, plus one */
#define ADDRESSES (1 + 2 * POSTERS)

#define POSTING 1
#define MARKED 2

#define COUNTS_STORES
#include "memory.pml"

/* Under the channel's lock. */
bit isLocked;
byte begun;                               /* Drains.countsByChunk, as bits of entries */
byte waiting;                             /* begun drains that have a continuation */

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
        load(ANNOUNCED(lane), seen);
        if
        :: seen == entry_ + 1 ->
            load(OCCUPANT(lane), seen);
            calling_ = (seen != 0)
        :: else
        fi;
        lane++
    :: else -> break
    od;
    lane = 0; seen = 0
}

/* Drains.end, for each of the drains `ended_` */
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

/* TypedChannel.post, call, leave(chunk). */
proctype Post(byte me) {
    byte i, entry, pending, word, lane, seen, other, ended;
    bit isCalling;
    atomic { IS_FLUSHED -> memory[OCCUPANT(me)] = POSTING }
    load(LIVE, pending);
    do
    :: entry < ENTRIES ->
        if
        :: pending & BIT(entry) ->
            store(ANNOUNCED(me), entry + 1);
            atomic {
                load(LIVE, word);
                if
                :: word & BIT(entry) -> assert(MAY_RETURN_EARLY || !(drained & BIT(entry))); calls[entry]++
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
                    MAY_RETURN_EARLY || (drained & (BIT(entry) - 1)) == (BIT(entry) - 1) ->
                    assert(MAY_RETURN_EARLY || !(drained & BIT(entry)));
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
    store(ANNOUNCED(me), 0);
    load(LIVE, word);
    if
    :: word & DRAINED -> callEnded()
    :: else
    fi;
    /* Lane.leave */
    atomic {
        IS_FLUSHED ->
        if
        :: memory[OCCUPANT(me)] == POSTING -> memory[OCCUPANT(me)] = 0; finished++; goto left
        :: else
        fi
    }
    /* Channel.leaveMarked, with freeDeparted. In lanes.pml, the holder of the lock may do this in the post's place. */
    if
    :: PLANTED != 7 -> callEnded()
    :: else
    fi;
    atomic { IS_FLUSHED -> memory[OCCUPANT(me)] = 0; finished++ }
left:
    skip
}

/* Drains.begin, and the check whether a post is in progress: `mayCall` becomes the result. */
inline begin(entry_) {
    atomic { IS_FLUSHED && !isLocked -> isLocked = 1; begun = begun | BIT(entry_) }
    storeSequentially(LIVE, memory[LIVE] | DRAINED);
    lane = 0;
    do
    :: lane < POSTERS -> atomic { load(OCCUPANT(lane), seen); mayCall = mayCall || (seen != 0); lane++ }
    :: else -> break
    od;
    atomic { IS_FLUSHED -> isLocked = 0; lane = 0; seen = 0 }
}

/* ProcessFence.make: between the beginning and the end of the call, each processor empties its store buffer, in any order. */
inline fence() {
    left = BIT(POSTERS) - 1;
    do
    :: (left & BIT(0)) && buffers[0].count == 0 -> left = left & ~BIT(0)
#if POSTERS > 1
    :: (left & BIT(1)) && buffers[1].count == 0 -> left = left & ~BIT(1)
#endif
    :: left == 0 -> break
    od
}

/* ProcessFence.outlastStoreBuffers: waits until the stores that are in the buffers at the beginning are written. */
inline outlast() {
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
}

/* Lanes.mark */
inline mark() {
    lane = 0;
    do
    :: lane < POSTERS ->
        atomic {
            IS_FLUSHED ->
            memory[OCCUPANT(lane)] = (memory[OCCUPANT(lane)] == POSTING -> POSTING | MARKED : memory[OCCUPANT(lane)]);
            lane++
        }
    :: else -> break
    od;
    lane = 0
}

/* NotificationToken.cancelAndDrain: Channel.cancel, Channel.drain. */
proctype Drain(byte me; byte entry) {
    byte i, lane, seen, left;
    byte target[POSTERS];
    bit isCalling, mayCall;

    atomic { IS_FLUSHED && !isLocked -> isLocked = 1 }
    store(LIVE, memory[LIVE] & ~BIT(entry));
    atomic { IS_FLUSHED -> isLocked = 0 }

    if
    :: PLANTED != 4 -> begin(entry)
    :: else -> mayCall = 1
    fi;
    if
    :: mayCall && OUTLASTS && FENCE -> fence()
    :: mayCall && OUTLASTS && !FENCE -> outlast()
    :: else
    fi;
    if
    :: PLANTED == 4 -> begin(entry)
    :: else
    fi;

    atomic { IS_FLUSHED && !isLocked -> isLocked = 1 }
    if
    :: mayCall && !FENCE && PLANTED != 6 -> mark(); look(entry, isCalling)
    :: mayCall && !FENCE && PLANTED == 6 -> look(entry, isCalling); mark()
    :: else -> look(entry, isCalling)
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
        assert(MAY_RETURN_EARLY || calls[entry] == 0);
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
