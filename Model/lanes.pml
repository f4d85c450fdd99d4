/*
 * A model of the engine behind NativeNotificationCenter: posts read a roster without a lock, in lanes, while other threads add
 * and cancel observers. `Model/check` makes spin visit every state.
 *
 * The model includes one channel with one roster of chunks, two lanes, and the store buffers of processors (memory.pml).
 * A thread that waits for posts that are nearly over may give up after any number of checks. A closure stands for everything that is
 * created and destroyed with it, such as its registration.
 *
 * Each access to shared memory is a separate step, with one exception: state that only the holder of the channel's lock changes.
 * Reads of such state are part of a neighboring step, and so are changes if posts don't read the state. No other thread can
 * observe the difference. Memory is freed as early and used as late as possible. Each step names the Swift function that
 * contains it.
 *
 * Claims:
 *
 *   - No closure and no chunk is used after it was freed.
 *   - No observer is lost: a post that begins after an add has returned calls the observer, unless a cancel has begun.
 *   - No post that begins after a cancel has returned calls the closure, nor does a post in progress on the cancelling thread.
 *   - Everything cancelled is freed when the last post that can see it has left, without a further post: see the end of `init`.
 *   - Nothing waits forever, and no lane stays taken. spin reports a process that waits forever as an invalid end state.
 *
 * Each value of PLANTED is a mistake that spin has to find, with its effect:
 *
 *   1  the store that ends an entry stays in the store buffer during the scan of lanes:  a closure is used after it was freed
 *      the unlock is no fence
 *   2  the same for the store that unlinks a chunk                                       a chunk is used after it was freed
 *   3  a dead last chunk is unlinked before its successor is linked                      an observer is lost
 *   4  a post doesn't check again whether an entry is live before it calls it            a cancelled observer is called
 *   5  a post leaves its lane without checking the mark                                  a cancelled entry is never freed
 *   6  the flag of departures is cleared after the scan of the lanes                     a cancelled entry is never freed
 *   7  removed memory is freed although the wait was given up                            a closure is used after it was freed
 *   8  the wait doesn't check the last lane                                              a closure is used after it was freed
 *   9  the wait mistakes another thread's mark for the end of the post                   a closure is used after it was freed
 *  10  the wait comes before the entry is ended                                          a closure is used after it was freed
 *  11  memory that waits for posts keeps no reference to its chunk                       a chunk is used after it was freed
 *  12  the flag of departures is read before the unlock is seen                          a cancelled entry is never freed
 *  13  the store that clears the flag stays in the store buffer during the scan          a cancelled entry is never freed
 *
 * Number 2 is only a mistake if an unlock is no fence (FENCED=0).
 */
#ifndef PLANTED
#define PLANTED 0
#endif

/* The entries in a chunk, and the threads. Model/check contains the cases. */
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef POSTERS
#define POSTERS 2
#endif
#ifndef CANCELLERS
#define CANCELLERS 1
#endif
#ifndef ADDERS
#define ADDERS 1
#endif
/*
 * Whether an unlock empties the store buffer. On x86 it does, because it is a read-modify-write, or a Lock.fence() follows it. A
 * thread that ends an entry and then scans the lanes relies on this. A post that departs from a marked lane also relies on it:
 * the previous holder of the lock checks for departures after all other threads see that the lock is free.
 */
#ifndef FENCED
#define FENCED (PLANTED != 1 && PLANTED != 12)
#endif
/* Whether both lanes were claimed before. */
#ifndef WARM
#define WARM 0
#endif
/* Whether the first poster makes a second post, in the same lane. */
#ifndef AGAIN
#define AGAIN 0
#endif
/* Whether observer 0 posts again when the first poster calls it. With two posters, this post may find no free lane. */
#ifndef NESTED
#define NESTED 0
#endif
/* Whether the last canceller cancels both observers. With two cancellers, both of them then cancel observer 0. */
#ifndef BOTH
#define BOTH 0
#endif
/* Whether observer 0 cancels observer 1 when the last poster calls it. */
#ifndef CANCELS
#define CANCELS 0
#endif

#define LANES 2
#define IS_SHARED (AGAIN || NESTED)       /* whether a lane is claimed more than once; otherwise its number is not read again */
#define OLD 2                             /* the entries at the beginning */
#define ENTRIES (OLD + ADDERS)
#define CHUNKS ((ENTRIES + CAPACITY - 1) / CAPACITY)
#define BATCHES (ENTRIES + ADDERS)        /* what can be retired: by the cancel of each entry, by each add */

#define CHUNK(e) ((e) / CAPACITY)
#define BIT(n) (1 << (n))
#define BIT_IN_CHUNK(e) BIT((e) % CAPACITY)

/* Processors, each with a store buffer: first those of the posters. */
#define CANCELLER(n) (POSTERS + n)
#define ADDER(n) (POSTERS + CANCELLERS + n)
#define PROCESSORS (POSTERS + CANCELLERS + ADDERS)

/* Shared memory, by address. A pointer to a chunk is its number plus one; 0 is nil. */
#define LOCK 0                            /* ChannelLock.state */
#define BOARD 1                           /* Roster.board */
#define HEAD 2                            /* Roster.head */
#define LIVE(c) (3 + (c))                 /* Chunk.Header.live */
#define NEXT(c) (3 + CHUNKS + (c))        /* Chunk.Header.next */
#define USED (3 + 2 * CHUNKS)             /* LaneHomes.everUsed, as bits of lanes */
#define DEPARTURES (4 + 2 * CHUNKS)       /* ChannelLock.hasDepartures */
#define OCCUPANT(l) (5 + 2 * CHUNKS + (l)) /* Lane.occupant */
#define POST_NUMBER(l) (5 + 2 * CHUNKS + LANES + (l)) /* Lane.postNumber */
#define ADDRESSES (5 + 2 * CHUNKS + 2 * LANES)

/* Roster.board: how many entries were ever added, and whether any is live. */
#define PUBLISHED(count, living) (2 * (count) + ((living) > 0))

/* Lane.occupant: the channel, and the meaning of its low bits. */
#define FREE 0
#define CHANNEL 1
#define MARKED 2
#define DEPARTED 4
#define NUMBER_BITS 8                     /* one bit, where the engine has two */
#define POST(word) ((word) & ~MARKED)     /* Lane.post */
#define IS_POST(word) (((word) & ~NUMBER_BITS) == CHANNEL)

#include "memory.pml"

/* Under the channel's lock. */
byte living;                              /* ChannelState.liveCount */
byte addedCount;                          /* Roster.addedCount */
byte tail;                                /* Roster.tail */
byte previous[CHUNKS];                    /* Chunk.Header.previous */
byte lanesOf[BATCHES];                    /* Retired: the lanes for which a batch waits, as bits */
byte unlinked[BATCHES];                   /* Removed.Parts.chunk: the chunk that goes with a batch */

/* References. */
byte chunkReferences[CHUNKS];             /* Chunk.Header.references: the roster, tokens, batches, copies */
byte closureReferences[ENTRIES];          /* the entry, copies */
byte tokenReferences[ENTRIES];            /* the holders of the token */

/* What has happened, as bits of entries. */
byte added;
byte cancelBegan;
byte cancelEnded;
byte cancelEndedOn[PROCESSORS];
byte finished;                            /* threads that have ended */
bit nestedEnded;

/* ---- Retired memory ---- */

/* Chunk.release. A chunk without references is freed. */
inline releaseChunk(chunk_) {
    assert(chunkReferences[chunk_] > 0);
    chunkReferences[chunk_]--
}

/* Channel.free */
inline free(batch_) {
    if
    :: batch_ < ENTRIES ->
        assert(chunkReferences[CHUNK(batch_)] > 0 && closureReferences[batch_] > 0);
        closureReferences[batch_]--
    :: else
    fi;
    if
    :: unlinked[batch_] -> releaseChunk(unlinked[batch_] - 1)
    :: else
    fi;
    unlinked[batch_] = 0
}

/* Lock.withLock. Operations immediately after locking and before unlocking are in the same step. */
inline lock() { IS_FLUSHED && !memory[LOCK] -> memory[LOCK] = 1 }
inline unlock() {
    if
    :: FENCED -> storeSequentially(LOCK, 0)
    :: else -> store(LOCK, 0)
    fi
}

/* Retired.take: `freed_` becomes the set of batches that waited for no other posts than those in `lanes_`. */
inline take(lanes_, freed_) {
    do
    :: i < BATCHES ->
        if
        :: lanesOf[i] & lanes_ ->
            lanesOf[i] = lanesOf[i] & ~lanes_;
            freed_ = (lanesOf[i] -> freed_ : freed_ | BIT(i))
        :: else
        fi;
        i++
    :: else -> break
    od;
    i = 0
}

/* A scan only checks lanes that were ever used. */
#define FIRST_USED load(USED, used); lane = (used == BIT(1) -> 1 : 0)
#define NEXT_USED lane = (lane == 0 && (used & BIT(1)) -> 1 : LANES)

/* Channel.freeDeparted */
inline freeDeparted() {
    do
    :: true ->
        atomic {
            load(DEPARTURES, seen);
            if
            :: seen == 0 -> break
            :: else -> seen = 0
            fi
        }
        /* Lock.withLockIfAvailable */
        atomic {
            IS_FLUSHED ->
            if
            :: memory[LOCK] -> break
            :: else -> memory[LOCK] = 1
            fi
        }
        if
        :: PLANTED != 6 && PLANTED != 13 -> storeSequentially(DEPARTURES, 0)
        :: PLANTED == 13 -> store(DEPARTURES, 0)
        :: else
        fi;
        /* Lanes.departed */
        atomic { marked = 0; FIRST_USED }
        do
        :: used & BIT(lane) ->
            atomic {
                load(OCCUPANT(lane), seen);
                marked = (seen == (CHANNEL | DEPARTED) -> marked | BIT(lane) : marked);
                NEXT_USED
            }
        :: else -> break
        od;
        if
        :: PLANTED == 6 -> storeSequentially(DEPARTURES, 0)
        :: else
        fi;
        /* Lanes.clear */
        atomic {
            lane = 0;
            do
            :: lane < LANES ->
                if
                :: marked & BIT(lane) -> store(OCCUPANT(lane), FREE)
                :: else
                fi;
                lane++
            :: else -> break
            od;
            unlock();
            take(marked, freed);
            do
            :: i < BATCHES ->
                if
                :: freed & BIT(i) ->
                    free(i);
                    if
                    :: i < ENTRIES && PLANTED != 11 -> releaseChunk(CHUNK(i))
                    :: else
                    fi
                :: else
                fi;
                i++
            :: else -> break
            od;
            i = 0; freed = 0; marked = 0; lane = 0; used = 0; seen = 0
        }
    od
}

/* Lanes.haveLeft: `left_` becomes whether every post that was in a lane has left. */
inline haveLeft(left_) {
    atomic { left_ = 1; FIRST_USED; used = (PLANTED == 8 -> (used & BIT(1) -> BIT(0) : 0) : used) }
    do
    :: (used & BIT(lane)) && left_ ->
        atomic { load(OCCUPANT(lane), seen); seen = (PLANTED == 9 -> seen : POST(seen)) }
        do
        :: IS_POST(seen) ->
            /* Checks again, or gives up. */
            if
            :: atomic { load(OCCUPANT(lane), now); seen = ((PLANTED == 9 -> now : POST(now)) == seen -> seen : FREE); now = 0 }
            :: atomic { left_ = 0; seen = FREE }
            fi
        :: else -> break
        od;
        atomic { seen = FREE; NEXT_USED }
    :: else -> break
    od;
    atomic { lane = 0; used = 0 }
}

/* Lanes.mark: `marked_` becomes the set of lanes that name the channel. */
inline mark(marked_) {
    atomic { marked_ = 0; FIRST_USED }
    do
    :: used & BIT(lane) ->
        load(OCCUPANT(lane), seen);
        if
        :: IS_POST(POST(seen)) && seen != POST(seen) -> marked_ = marked_ | BIT(lane)
        :: IS_POST(seen) ->
            compareExchange(OCCUPANT(lane), seen, seen | MARKED, ok);
            marked_ = (ok -> marked_ | BIT(lane) : marked_)
        :: else
        fi;
        atomic { seen = 0; ok = 0; NEXT_USED }
    :: else -> break
    od
}

/* Channel.retire, after the unlock; with ChannelState.retire, the end of Channel.withState, and Channel.free. */
inline retire(batch_) {
    if
    :: batch_ < ENTRIES || unlinked[batch_] ->
        if
        :: PLANTED != 10 -> haveLeft(ok)
        :: else -> ok = hasLeft
        fi;
        if
        :: ok || PLANTED == 7 -> atomic { free(batch_); ok = 0 }
        :: else ->
            atomic { lock(); ok = 0 }
            mark(marked);
            atomic {
                unlock();
                assert(lanesOf[batch_] == 0);
                if
                :: marked && batch_ < ENTRIES && PLANTED != 11 -> chunkReferences[CHUNK(batch_)]++
                :: else
                fi;
                lanesOf[batch_] = marked;
                if
                :: !marked -> free(batch_)
                :: else
                fi;
                marked = 0; lane = 0; used = 0
            }
            freeDeparted()
        fi
    :: else
    fi
}

/* ---- Changes ---- */

/* Roster.unlinkIfFull: takes a dead chunk out of the list, unless it is the last one. */
inline unlink(chunk_, batch_) {
    if
    :: chunk_ == tail
    :: else ->
        load(NEXT(chunk_), next);
        if
        :: previous[chunk_] ->
            atomic {
                assert(chunkReferences[previous[chunk_] - 1] > 0);
                if
                :: PLANTED == 2 -> store(NEXT(previous[chunk_] - 1), next)
                :: else -> storeSequentially(NEXT(previous[chunk_] - 1), next)
                fi
            }
        :: else ->
            if
            :: PLANTED == 2 -> store(HEAD, next)
            :: else -> storeSequentially(HEAD, next)
            fi
        fi;
        atomic {
            if
            :: next ->
                assert(chunkReferences[next - 1] > 0);
                previous[next - 1] = previous[chunk_]
            :: else
            fi;
            unlinked[batch_] = chunk_ + 1;
            next = 0
        }
    fi
}

/* Channel.publish, with Roster.publish. */
inline publish() {
    load(BOARD, next);
    if
    :: next != PUBLISHED(addedCount, living) -> next = 0; store(BOARD, PUBLISHED(addedCount, living))
    :: else -> next = 0
    fi
}

/* Channel.cancel, with Channel.remove. */
inline cancel(entry_) {
    atomic {
        cancelBegan = cancelBegan | BIT(entry_);
        assert(chunkReferences[CHUNK(entry_)] > 0);
        load(LIVE(CHUNK(entry_)), live)
    }
    if
    :: live & BIT_IN_CHUNK(entry_) ->
        if
        :: PLANTED == 10 -> haveLeft(hasLeft)
        :: else
        fi;
        atomic {
            lock();
            load(LIVE(CHUNK(entry_)), live)
        }
        if
        :: live & BIT_IN_CHUNK(entry_) ->
            assert(closureReferences[entry_] > 0);
            live = live & ~BIT_IN_CHUNK(entry_);
            /* If an unlock is no fence, this store has to be one, except for mistake 1. */
            if
            :: FENCED || PLANTED == 1 -> store(LIVE(CHUNK(entry_)), live)
            :: else -> storeSequentially(LIVE(CHUNK(entry_)), live)
            fi;
            if
            :: live == 0 -> unlink(CHUNK(entry_), entry_)
            :: else
            fi;
            atomic { living--; live = 0; publish() }
            unlock();
            freeDeparted();
            retire(entry_)
        :: else -> unlock(); freeDeparted()
        fi
    :: else
    fi;
    atomic {
        cancelEnded = cancelEnded | BIT(entry_);
        cancelEndedOn[me] = cancelEndedOn[me] | BIT(entry_);
        live = 0
    }
}

/* Releases a reference to a token. The last release of a token also releases the token's reference to its chunk. */
inline letGo(entry_) {
    atomic {
        assert(tokenReferences[entry_] > 0);
        tokenReferences[entry_]--;
        if
        :: tokenReferences[entry_] == 0 -> releaseChunk(CHUNK(entry_))
        :: else
        fi
    }
}

/* ---- Posts ---- */

inline beginCall(entry_) {
    assert(closureReferences[entry_] > 0);
    assert(!(mustNotCall & BIT(entry_)));
    assert(!(cancelEndedOn[me] & BIT(entry_)));
    called = called | BIT(entry_)
}

inline runCall(entry_) {
    if
    :: NESTED && entry_ == 0 && me == 0 && !isNested ->
        run Post(me, 1);
        nestedEnded
    :: CANCELS && entry_ == 0 && me == POSTERS - 1 && !isNested -> cancel(1)
    :: else
    fi
}

inline endCall(entry_) {
    assert(closureReferences[entry_] > 0)
}

/* LaneHomes.use */
inline use(lane_) {
    load(USED, used);
    if
    :: !(used & BIT(lane_)) -> atomic { IS_FLUSHED -> memory[USED] = memory[USED] | BIT(lane_) }
    :: else
    fi;
    used = 0
}

inline endPost() {
    assert((mustCall & ~called & ~cancelBegan) == 0);
    if
    :: isNested -> nestedEnded = 1
    :: else
    fi;
    mustCall = 0; mustNotCall = 0; called = 0; mine = 0; number = 0;
    if
    :: isNested
    :: AGAIN && me == 0 && !isNested && !isAgain -> isAgain = 1; goto begin
    :: else -> finished++
    fi
}

/* TypedChannel.post */
proctype Post(byte me; bit isNested) {
    byte i, live, next, lane, used, seen, now, marked;
    byte mine, number, count, chunk, entry, pending, freed, copies;
    byte mustCall, mustNotCall, called;
    bit ok, hasLeft, isAgain;

begin:
    atomic {
        mustCall = added & ~cancelBegan;
        mustNotCall = cancelEnded;
        called = 0;
        load(BOARD, live);
        if
        :: live == PUBLISHED(live / 2, 0) -> live = 0; endPost(); goto ended
        :: else -> live = 0
        fi
    }

    /* Lanes.claim, Lanes.claimOther: the thread's own lane first, then the other one. A failed claim also stands for a check that finds the lane taken. */
    mine = me % LANES;
    do
    :: true ->
        use(mine);
        /* Lane.claim */
        if
        :: IS_SHARED -> atomic { load(POST_NUMBER(mine), number); number = number ^ NUMBER_BITS }
        :: else -> number = NUMBER_BITS
        fi;
        compareExchange(OCCUPANT(mine), FREE, CHANNEL | number, ok);
        if
        :: ok && IS_SHARED -> atomic { store(POST_NUMBER(mine), number); ok = 0; number = 0 } break
        :: ok && !IS_SHARED -> ok = 0; break
        :: !ok && mine == me % LANES -> mine = (mine + 1) % LANES
        :: else -> mine = 0; number = 0; goto withoutLane
        fi
    od;

    /* TypedChannel.call */
    atomic { load(BOARD, count); count = count / 2 }
    load(HEAD, chunk);
    do
    :: chunk ->
        /* The first load of a chunk's live word */
        atomic {
            assert(chunkReferences[chunk - 1] > 0);
            load(LIVE(chunk - 1), pending);
            entry = (chunk - 1) * CAPACITY
        }
        do
        :: entry < count && CHUNK(entry) == chunk - 1 ->
            if
            :: pending & BIT_IN_CHUNK(entry) ->
                /* The second load of the live word, and the call */
                atomic {
                    assert(chunkReferences[chunk - 1] > 0);
                    load(LIVE(chunk - 1), live);
                    if
                    :: live & BIT_IN_CHUNK(entry) || PLANTED == 4 -> beginCall(entry)
                    :: else -> live = 0
                    fi
                }
                if
                :: live -> runCall(entry); endCall(entry)
                :: else
                fi;
                live = 0
            :: else
            fi;
            entry++
        :: else -> break
        od;
        atomic {
            assert(chunkReferences[chunk - 1] > 0);
            load(NEXT(chunk - 1), chunk);
            pending = 0; entry = 0
        }
    :: else -> break
    od;
    count = 0;

    /* Lane.leave */
    atomic {
        IS_FLUSHED ->
        if
        :: memory[OCCUPANT(mine)] == (CHANNEL | (IS_SHARED -> memory[POST_NUMBER(mine)] : number)) || PLANTED == 5 ->
            memory[OCCUPANT(mine)] = FREE;
            endPost();
            goto ended
        :: else
        fi
    }

    /* Channel.leaveMarked */
    storeSequentially(OCCUPANT(mine), CHANNEL | DEPARTED);
    storeSequentially(DEPARTURES, 1);
    freeDeparted();
    atomic { endPost(); goto ended }

withoutLane:
    /* TypedChannel.postWithoutLane: with copies of the closures, which retain them and their chunks. */
    atomic {
        lock();
        do
        :: entry < ENTRIES ->
            if
            :: memory[LIVE(CHUNK(entry))] & BIT_IN_CHUNK(entry) ->
                copies = copies | BIT(entry);
                closureReferences[entry]++;
                chunkReferences[CHUNK(entry)]++
            :: else
            fi;
            entry++
        :: else -> break
        od;
        entry = 0
    }
    unlock();
    freeDeparted();
    do
    :: entry < ENTRIES ->
        if
        :: copies & BIT(entry) ->
            atomic {
                lock();
                live = memory[LIVE(CHUNK(entry))] & BIT_IN_CHUNK(entry);
                if
                :: live -> beginCall(entry)
                :: else
                fi
            }
            unlock();
            freeDeparted();
            if
            :: live -> runCall(entry); endCall(entry)
            :: else
            fi;
            live = 0
        :: else
        fi;
        entry++
    :: else -> break
    od;
    atomic {
        entry = 0;
        do
        :: entry < ENTRIES ->
            if
            :: copies & BIT(entry) -> closureReferences[entry]--; releaseChunk(CHUNK(entry))
            :: else
            fi;
            entry++
        :: else -> break
        od;
        entry = 0; copies = 0;
        endPost()
    }
ended:
    skip
}

/* ---- Threads that add and cancel ---- */

/* A thread that cancels one or two observers, and releases the tokens. */
proctype Canceller(byte me; byte first; byte second) {
    byte i, live, next, lane, used, seen, now, marked, freed;
    bit ok, hasLeft;
    cancel(first);
    letGo(first);
    if
    :: second != first -> cancel(second); letGo(second)
    :: else
    fi;
    finished++
}

/* Channel.add, with Roster.append and Roster.link. */
proctype Adder(byte me; byte entry) {
    byte i, live, next, lane, used, seen, now, marked, freed, old;
    bit ok, hasLeft;
    atomic { lock() }
    if
    :: CHUNK(entry) != tail ->
        atomic {
            old = tail;
            tail = CHUNK(entry);
            previous[tail] = old + 1;
            chunkReferences[tail] = 1
        }
        if
        :: PLANTED != 3 -> storeSequentially(NEXT(old), tail + 1)
        :: else
        fi;
        load(LIVE(old), live);
        if
        :: live == 0 -> unlink(old, entry + ADDERS)
        :: else
        fi;
        if
        :: PLANTED == 3 -> storeSequentially(NEXT(old), tail + 1)
        :: else
        fi
    :: else
    fi;
    atomic {
        closureReferences[entry] = 1;
        tokenReferences[entry] = 1;
        chunkReferences[tail]++;
        load(LIVE(tail), live);
        store(LIVE(tail), live | BIT_IN_CHUNK(entry))
    }
    atomic { addedCount++; living++; live = 0; old = 0; publish() }
    unlock();
    freeDeparted();
    retire(entry + ADDERS);
    atomic {
        /* A thread that learns of the registration finds the observer. */
        IS_FLUSHED ->
        added = added | BIT(entry);
        finished++
    }
}

init {
    byte n;
    atomic {
        /* A roster with two observers. Each cancelling thread holds the tokens of its observers. The other tokens are never released. */
        do
        :: n < OLD ->
            memory[LIVE(CHUNK(n))] = memory[LIVE(CHUNK(n))] | BIT_IN_CHUNK(n);
            closureReferences[n] = 1;
            tokenReferences[n] = 1;
            chunkReferences[CHUNK(n)]++;
            n++
        :: else -> break
        od;
        tail = CHUNK(OLD - 1);
        n = 0;
        do
        :: n <= tail ->
            chunkReferences[n]++;
            previous[n] = n;
            memory[NEXT(n)] = (n < tail -> n + 2 : 0);
            n++
        :: else -> break
        od;
        n = 0;
        memory[HEAD] = 1;
        addedCount = OLD;
        living = OLD;
        memory[BOARD] = PUBLISHED(OLD, OLD);
        memory[USED] = WARM * (BIT(LANES) - 1);
        added = BIT(0) | BIT(1);

        run Post(0, 0);
#if POSTERS > 1
        run Post(1, 0);
#endif
#if CANCELLERS == 1
        run Canceller(CANCELLER(0), 0, BOTH);
#endif
#if CANCELLERS == 2
        tokenReferences[0] = tokenReferences[0] + BOTH;
        run Canceller(CANCELLER(0), 0, 0);
        run Canceller(CANCELLER(1), 1, 1 - BOTH);
#endif
#if ADDERS > 0
        run Adder(ADDER(0), OLD);
#endif
    }

    /* When all threads have ended, there is no further post: everything cancelled must be freed by now, and nothing else. */
    atomic {
        finished == PROCESSORS && !memory[LOCK];
        if
        :: !FENCED && PLANTED == 2 -> goto ended
        :: else
        fi;
        assert(memory[OCCUPANT(0)] == FREE && memory[OCCUPANT(1)] == FREE && memory[DEPARTURES] == 0);
        do
        :: n < ENTRIES ->
            assert(closureReferences[n] == (cancelEnded & BIT(n) -> 0 : 1));
            if
            :: tokenReferences[n] -> chunkReferences[CHUNK(n)]--
            :: else
            fi;
            n++
        :: else -> break
        od;
        n = 0;
        do
        :: n <= tail ->
            /* The roster keeps chunks with live entries, and the last one. */
            assert(chunkReferences[n] == (memory[LIVE(n)] || n == tail -> 1 : 0));
            n++
        :: else -> break
        od
    }
ended:
    skip
}
