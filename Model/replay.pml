/*
 * A model of how a late observer receives the latest notification of a replayed type, and then the notifications posted in the
 * meantime: `ReplayGate`, `ReplayHandOver`, `LatestNotifications` and `Channel.endHandOver`. `Model/check` makes spin visit every state.
 *
 * In the model, one registration races with posts by several threads, a cancellation, the end of the channel, and the
 * deallocation of the latest notification's sender. The observer may also post in its first call. Everything under a lock is one
 * step. A post begins in one step and ends in one step, because other models check that the end of a channel finds a post that
 * has begun, and that a post calls no cancelled observer.
 *
 * Claims:
 *
 *   - No notification arrives twice.
 *   - The notifications of one thread arrive in the order in which it posted them. No post calls the observer before the gate is
 *     open, so that calls don't overlap those of the registration.
 *   - Every post that found the observer, and came after the look-up of the latest notification, is handed to the observer unless the
 *     observer is cancelled. When the channel has ended, all of these posts have been handed over.
 *   - The latest notification is handed over first, unless its sender is dead or the observer is cancelled.
 *   - If the observer receives a post, even as the latest one, all other observers receive it. To check this, one observer is
 *     registered from the beginning. Each post that is kept reaches it, and no rejected post does.
 *   - Nothing waits forever, even if a call of the observer waits for all posts (WAITS). spin would report such a wait as an invalid end
 *     state.
 *
 * Each value of PLANTED is a mistake that spin has to find, with its effect:
 *
 *   1  the end of the channel doesn't wait for the hand-over                       a notification is lost
 *   2  the hand-over is recorded in a separate step after the observer is added    a notification is lost
 *   3  the gate finds its queue empty, and opens in another step                   a notification is lost
 *   4  notifications queued before the look-up of the latest are handed over       a notification arrives twice
 *   5  the posts are counted in a separate step after the look-up of the latest    a notification is lost
 *   6  a post is numbered in one step and kept in another                          the latest is not the last one posted
 *   7  a post that found the gate closed is queued, although the gate has opened   a notification is lost
 *   8  a post waits for the gate to open, however long that takes                  a thread waits forever
 *   9  a post that has timed out calls the observer                                the order is broken
 *   10 the kept notification is released when the end of the channel begins        the latest is lost
 *   11 a post is kept before it has entered its lane                               some observers receive it and others don't
 *   12 the channel begins to end before posts are rejected                         some observers receive it and others don't
 */
#ifndef PLANTED
#define PLANTED 0
#endif
#ifndef POSTERS
#define POSTERS 2
#endif
/* The number of posts that each thread makes. */
#ifndef POSTS
#define POSTS 2
#endif
#ifndef CANCELS
#define CANCELS 1
#endif
#ifndef FINISHES
#define FINISHES 1
#endif
#ifndef DIES
#define DIES 1
#endif
/* Whether the observer posts in its first call, and whether a call with a queued notification waits for all other posts. */
#ifndef NESTED
#define NESTED 0
#endif
#ifndef WAITS
#define WAITS 0
#endif

/* Posts are numbered from 1. Post 1 is made before everything else. */
#define MOST (POSTERS * POSTS + 3)
#define NEVER 100
#define REGISTRATION POSTERS

/* LatestNotifications.State */
byte count = 1, latest = 1;
bool isKeeping = true, isStoreOpen = true, isSenderAlive = true;

/* The channel: whether the observer is registered, and what the channel's end waits for. */
bool isAdded, isLive, wasCancelled, isHandedOver, isFinishing, hasEnded, isRefused;
byte inPost;

/* ReplayGate */
mtype = { closed, closing, opened, over };
mtype phase = closed;
byte boundary = NEVER, shown = NEVER, waitingCount, runner = NEVER;
byte waiting[MOST];

/* The history of each post: its thread, whether it found the observer, and how often it was handed over. */
byte posterOf[MOST + 1] = NEVER, calls[MOST + 1], last[POSTERS + 1], running, snapshot, looked, done;
bool found[MOST + 1], isFirst = true, hasDied;

/* The posts that have reached an observer that is registered from the beginning. */
bool reached[MOST + 1];

inline call(number) {
    if
    :: atomic { isLive ->
        assert(calls[number] == 0);
        calls[number]++;
        if
        :: number != 1 ->
            assert(last[posterOf[number]] < number);
            last[posterOf[number]] = number
        :: else
        fi;
        running++
      }
    :: else -> goto refused
    fi
}

/* LatestNotifications.keep */
inline keep(number, poster) {
    atomic {
        if
        :: isKeeping ->
            count++;
            number = count;
            posterOf[number] = poster;
            if
            :: PLANTED != 6 -> latest = number
            :: else
            fi
        :: else -> number = 0
        fi
    };
    if
    :: PLANTED == 6 -> atomic { if :: isKeeping && number > latest -> latest = number :: else fi }
    :: else
    fi
}

/* NativeNotificationCenter.postReplayed and GatedObserver.receive, for this observer only. */
inline post(poster, number, isPatient) {
    /* Channel.enter */
    if
    :: PLANTED != 11 -> inPost++
    :: else
    fi;
    keep(number, poster);
    atomic {
        if
        :: number == 0 && PLANTED != 11 -> goto gone
        :: number == 0 && PLANTED == 11 -> goto left
        :: else
        fi;
        if
        :: PLANTED == 11 && isFinishing -> goto left
        :: PLANTED == 11 && !isFinishing -> inPost++
        :: else
        fi;
        /* TypedChannel.postIfUsual */
        assert(!hasEnded);
        reached[number] = true;
        if
        :: isLive -> found[number] = true
        :: else -> goto gone
        fi
    };
    isPatient = true;
    /* ReplayGate.isOpen */
    if
    :: atomic { shown != NEVER && number > shown -> goto calling }
    :: else
    fi;
again:
    /* ReplayGate.decide */
    atomic {
        if
        :: boundary != NEVER && number <= boundary -> assert(number <= looked); found[number] = false; goto gone
        :: else
        fi;
        if
        :: phase == opened && PLANTED != 7 -> goto calling
        :: phase == over -> goto gone
        :: phase == closing && runner != poster && isPatient ->
            /* ReplayGate.waitForOpening: until it opens, or the wait times out. */
            goto pause
        :: else
        fi;
        if
        :: phase == closing && runner != poster && PLANTED == 9 -> goto calling
        :: else
        fi;
        waiting[waitingCount] = number;
        waitingCount++;
        goto gone
    };
pause:
    if
    :: shown != NEVER
    :: PLANTED != 8 -> isPatient = false
    fi;
    goto again;
calling:
    call(number);
    running--;
refused:
gone:
    inPost--;
left:
    skip
}

proctype Poster(byte me) {
    byte number, made;
    bool isPatient;
    do
    :: made < POSTS ->
        made++;
        post(me, number, isPatient)
    :: else -> break
    od;
    done++
}

proctype Registration() {
    byte number, next, index, kept, nested;
    bool isPatient;
    byte taken[MOST];
    byte takenCount;
    /* Channel.append */
    atomic {
        if
        :: isFinishing -> isRefused = true; goto registered
        :: else -> isAdded = true; isLive = true; isHandedOver = (PLANTED != 2)
        fi
    };
    atomic { if :: PLANTED == 2 && !hasEnded -> isHandedOver = true :: else fi };
    /* LatestNotifications.snapshot */
    atomic {
        snapshot = (isStoreOpen -> latest : 0);
        assert(snapshot == count || !isStoreOpen);
        looked = count;
        next = count
    };
    if
    :: PLANTED == 5 -> next = count
    :: else
    fi;
    /* ReplayGate.expect */
    d_step {
        boundary = next;
        index = 0;
        kept = 0;
        do
        :: index < waitingCount ->
            if
            :: waiting[index] > boundary || PLANTED == 4 -> waiting[kept] = waiting[index]; kept++
            :: else -> assert(waiting[index] <= looked); found[waiting[index]] = false
            fi;
            index++
        :: else -> break
        od;
        waitingCount = kept;
        kept = 0;
        index = 0;
        next = 0;
        runner = REGISTRATION
    };
    /* LatestNotifications.latest, which checks whether the sender is alive. */
    if
    :: atomic { snapshot == 0 || (snapshot == 1 && !isSenderAlive) -> hasDied = (snapshot == 1); snapshot = 0 }
    :: else ->
        number = snapshot;
        goto handing
    fi;
taking:
    /* ReplayGate.takeWaiting */
    if
    :: index == takenCount ->
        atomic {
            index = 0;
            takenCount = 0;
            if
            :: waitingCount == 0 && PLANTED != 3 -> phase = opened; shown = boundary; goto finished
            :: waitingCount == 0 && PLANTED == 3 -> goto opening
            :: else ->
                phase = closing;
                do
                :: index < waitingCount -> taken[index] = waiting[index]; waiting[index] = 0; index++
                :: else -> break
                od;
                takenCount = waitingCount;
                waitingCount = 0;
                index = 0
            fi
        }
    :: else
    fi;
    number = taken[index];
    taken[index] = 0;
    index++;
handing:
    /* TypedChannel.call */
    call(number);
    assert(running == 1 || PLANTED == 9);
    if
    :: isFirst && NESTED ->
        isFirst = false;
        /* The observer's own post: the gate is closed, or closing on this thread, so the notification waits. */
        keep(nested, REGISTRATION);
        atomic {
            if
            :: nested > 0 -> reached[nested] = true
            :: else
            fi;
            if
            :: nested > 0 && isLive ->
                found[nested] = true;
                waiting[waitingCount] = nested;
                waitingCount++
            :: else
            fi
        }
    :: else -> isFirst = false
    fi;
    if
    :: WAITS && number != snapshot && number > 1 -> done == POSTERS
    :: else
    fi;
    running--;
    number = 0;
    goto taking;
opening:
    atomic { phase = opened; shown = boundary };
    goto finished;
refused:
    /* ReplayGate.end */
    atomic { phase = over; shown = NEVER - 1; waitingCount = 0 };
finished:
    /* Channel.endHandOver */
    isHandedOver = false;
registered:
    skip
}

proctype Cancel() {
    isAdded || isRefused ->
    atomic { if :: isLive -> isLive = false; wasCancelled = true :: else fi }
}

proctype Death() { isSenderAlive = false }

/* Whether everything that has to be handed over was handed over. */
inline check() {
    number = 1;
    do
    :: number <= count ->
        assert(!found[number] || wasCancelled || isRefused || calls[number] == 1);
        assert(calls[number] == 0 || number == 1 || reached[number]);
        number++
    :: else -> break
    od;
    number = 0;
    assert(!isAdded || wasCancelled || boundary == NEVER || hasDied || (snapshot > 0 && calls[snapshot] == 1));
    assert(!isAdded || isHandedOver || boundary != NEVER || wasCancelled)
}

/* Channel.finish, Channel.endIfLeft, LatestNotifications.close */
proctype Finish() {
    byte number;
    /* LatestNotifications.stop */
    if
    :: PLANTED != 12 -> isKeeping = false
    :: else
    fi;
    isFinishing = true;
    if
    :: PLANTED == 10 -> isStoreOpen = false
    :: else
    fi;
    atomic {
        inPost == 0 && (!isHandedOver || PLANTED == 1) ->
        hasEnded = true;
        isLive = false;
        isStoreOpen = false;
        check()
    };
    isKeeping = false
}

init {
    byte number;
    atomic {
        number = 0;
        do
        :: number < POSTERS -> run Poster(number); number++
        :: else -> break
        od;
        run Registration();
        if :: CANCELS -> run Cancel() :: else fi;
        if :: DIES -> run Death() :: else fi;
        if :: FINISHES -> run Finish() :: else fi
    };
    /* All other threads have ended. */
    atomic { _nr_pr == 1 -> check() }
}
