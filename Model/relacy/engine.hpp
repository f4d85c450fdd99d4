// Posts (Channels/TypedChannel.swift, Channels/PostWithoutLane.swift), and what is claimed of them.
//
// Each thread has a program of actions. What a thread may count on is what happens before, in the language's sense: what it did itself,
// or what it heard of through `news`, a word by which threads tell each other what they have done.
#pragma once

#include "channel.hpp"

#include <string>
#include <vector>

struct Action {
    enum Kind { post, add, cancel, drain, wait, end } kind;
    unsigned entry;
};
using Program = std::vector<Action, rl::raw_allocator<Action>>;

// What a case consists of; it does not change while it runs.
struct Case {
    static inline unsigned lanes = 2, old = 1, patience = 1;
    static inline bool hasFence = true, hasNews = true, isWarm = false, sharesHome = false;
    static inline Program threads[mostThreads], within[Channel::mostEntries];
    // How often an observer is named by threads, each of which lets go of its token then; none does if calls name it as well.
    static inline unsigned holders[Channel::mostEntries];
};

struct Engine {
    Chunks chunks;
    Lanes lanes{Case::lanes};
    Channel channel{lanes, chunks, 0};
    ProcessFence fence;
    Word news;
    rl::atomic<unsigned> tokens[Channel::mostEntries];

    // What happened, by the clock, and in which moments.
    unsigned cancelBegan = 0, running[Channel::mostEntries] = {};
    Moment added[Channel::mostEntries], cancelled[Channel::mostEntries], callEnded[Channel::mostEntries][mostThreads];
    Word hasDrained[Channel::mostEntries];
    unsigned addedEntries = 0, cancelledEntries = 0, drainedEntries = 0;

    // The roster as it is in the beginning.
    void before() {
        lanes.patience = Case::patience;
        for (unsigned entry = 0; entry < Case::old; entry++) {
            channel.add(channel.everyone);
            noteAdded(entry);
        }
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++)
            tokens[entry].store(Case::holders[entry], rl::mo_relaxed, $);
        if (Case::isWarm) lanes.homes.use(0), lanes.homes.use(1);
        if (Case::sharesHome) lanes.homes.owned.store((1u << Case::lanes) - 1, ORDER("initial", relaxed));
    }

    // The end: what was cancelled is freed, and nothing else; no lane is taken, nobody is asked to tell.
    void after() {
        for (unsigned index = 0; index < lanes.capacity; index++)
            claim(lanes.lanes[index].occupant.newest() == 0, "a lane is taken for ever");
        claim(channel.hasDepartures.newest() == 0, "a post that departed is overlooked");
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++) {
            if (!(addedEntries >> entry & 1)) continue;
            bool isCancelled = cancelledEntries >> entry & 1;
            Chunk &chunk = chunks.all[Chunks::of(entry) - 1];
            claim(chunk.slots[Chunks::index(entry)].closure.context.isThere() == !isCancelled,
                isCancelled ? "a closure that was cancelled is never freed" : "a closure is freed that was not cancelled");
        }
        for (unsigned pointer = 1; pointer <= chunks.made; pointer++) {
            Chunk &chunk = chunks.all[pointer - 1];
            unsigned references = 0;
            for (unsigned index = 0; index < Chunk::capacity; index++) {
                unsigned entry = (pointer - 1) * Chunk::capacity + index;
                references += !(addedEntries >> entry & 1) || Case::holders[entry] == 0 || tokens[entry].debug_value() != 0;
            }
            // The roster keeps chunks with live entries, and the last one.
            references += pointer == channel.everyone.tail || (chunk.live.newest() & ~Chunk::drainBit);
            claim(chunk.references.newest() == references, "a chunk has another number of references than there are");
            claim(chunk.memory.isThere() == (references > 0), "a chunk is not freed");
            if (chunk.memory.isThere()) claim(!(chunk.live.newest() & Chunk::drainBit), "posts are asked to tell for ever");
        }
    }

    // MARK: Threads

    void thread(unsigned index) {
        fence.enter();
        for (Action action : Case::threads[index]) perform(action);
        lanes.threadEnds();
    }

    void perform(Action action) {
        switch (action.kind) {
        case Action::post: hear(); return post(0);
        case Action::add: return noteAdded(channel.add(channel.everyone)), tell();
        case Action::cancel: cancel(action.entry); return letGo(action.entry), tell();
        case Action::drain: cancel(action.entry); drain(action.entry); return letGo(action.entry), tell();
        case Action::wait: return waitForDrain(action.entry);
        case Action::end: return lanes.threadEnds();
        }
    }
    void hear() {
        if (Case::hasNews) news.load(ORDER("news", acquiring));
    }
    void tell() {
        if (Case::hasNews) news.wrappingAdd(1, ORDER("news", releasing));
    }

    void noteAdded(unsigned entry) {
        added[entry].set();
        addedEntries |= 1u << entry;
    }
    void cancel(unsigned entry) {
        cancelBegan |= 1u << entry;
        channel.cancel(entry, channel.everyone);
        cancelledEntries |= 1u << entry;
        cancelled[entry].set();
    }
    void drain(unsigned entry) {
        channel.drain(entry, Case::hasFence ? &fence : nullptr);
        hasDrained[entry].store(1, ORDER("news", releasing));
        hasDrained[entry].wake(mostThreads);
        if (!Case::hasFence) return;
        claim(running[entry] == 0, "a drain returned while a call was running");
        drainedEntries |= 1u << entry;
        for (Moment const &end : callEnded[entry])
            claim(!end.isSetAtAll() || end.isBeforeNow(), "a drain returned, and does not see what a call wrote");
    }
    void waitForDrain(unsigned entry) {
        while (hasDrained[entry].wrappingAdd(0, ORDER("news", acquiring)) == 0) hasDrained[entry].waitWhileEqual(0);
    }
    void letGo(unsigned entry) {
        if (tokens[entry].fetch_sub(1, rl::mo_acq_rel, $) == 1) chunks.at(Chunks::of(entry)).release();
    }

    // MARK: TypedChannel.swift

    struct Expected {
        unsigned must = 0, mustNot = 0, called = 0;
    };

    // TypedChannel.postIfUsual, TypedChannel.postToEveryone
    void post(unsigned depth) {
        Expected expected;
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++) {
            if (added[entry].isBeforeNow() && !(cancelBegan >> entry & 1)) expected.must |= 1u << entry;
            if (cancelled[entry].isBeforeNow()) expected.mustNot |= 1u << entry;
        }
        unsigned beginning = channel.everyone.beginning();
        if (beginning & Roster::hasEntries) {
            unsigned lane = lanes.claim(channel.name), begun = beginning >> Roster::flagBits;
            if (lane == Lanes::none)
                postWithoutLane(begun, expected, depth);
            else {
                call(begun, lanes.lanes[lane], expected, depth);
                if (!lanes.lanes[lane].leave(channel.name)) channel.leaveMarked(lanes.lanes[lane]);
            }
        }
        claim((expected.must & ~expected.called & ~cancelBegan) == 0, "an observer is lost");
    }

    // TypedChannel.call(_:_:_:_:_:)
    void call(unsigned count, Lane &lane, Expected &expected, unsigned depth) {
        unsigned next = channel.everyone.head.load(ORDER("TypedChannel.call head.load", sequentiallyConsistent));
        while (next) {
            Chunk &chunk = chunks.at(next);
            unsigned seen = chunk.live.load(ORDER("TypedChannel.call live.load 1", sequentiallyConsistent)) & ~Chunk::drainBit;
            unsigned pending = seen & Roster::below(int(count) - int(chunk.first));
            for (unsigned index = 0; index < Chunk::capacity && pending >> index; index++) {
                if (!(pending >> index & 1)) continue;
                unsigned entry = (next - 1) * Chunk::capacity + index;
                lane.announce(entry + 1);
                chunk.memory.use();
                bool looksLate = PLANTED("a post looks whether to tell after a call, before it announces the next one");
                if (!PLANTED("a post does not look again whether an entry is live") && !looksLate
                    && chunk.live.load(ORDER("TypedChannel.call live.load 2", relaxed)) != seen) {
                    seen = channel.lookAgain(chunk);
                    pending &= seen;
                    if (!(pending >> index & 1)) continue;
                }
                run(entry, expected, depth);
                if (looksLate) seen = channel.lookAgain(chunk), pending &= seen | 1u << index;
            }
            leave(chunk, lane);
            chunk.memory.use();
            next = chunk.next.load(ORDER("TypedChannel.call next.load", sequentiallyConsistent));
        }
    }

    // TypedChannel.leave
    void leave(Chunk &chunk, Lane &lane) {
        lane.announce(0);
        chunk.memory.use();
        if (chunk.live.load(ORDER("TypedChannel.leave live.load", sequentiallyConsistent)) & Chunk::drainBit) channel.callEnded();
    }

    // The call of a closure where it lies.
    void run(unsigned entry, Expected &expected, unsigned depth) {
        auto &slot = chunks.at(Chunks::of(entry)).slots[Chunks::index(entry)];
        slot.memory.use();
        run(entry, slot.closure, expected, depth);
        slot.memory.use();
    }
    void run(unsigned entry, Closure &closure, Expected &expected, unsigned depth) {
        unsigned bit = 1u << entry;
        closure.context.use();
        claim(!(expected.mustNot & bit), "an observer is called by a post that began after its cancel");
        claim(!cancelled[entry].isBeforeNow(), "a thread calls an observer that it knows to be cancelled");
        claim(!(drainedEntries & bit), "an observer is called after its drain");
        claim(!(expected.called & bit), "an observer is called twice");
        expected.called |= bit;
        running[entry]++;
        if (depth == 0)
            for (Action action : Case::within[entry]) runWithin(action, depth);
        // The end of the call is a step of its own.
        rl::ctx().sched();
        closure.context.use();
        running[entry]--;
        callEnded[entry][thisThread()].set();
    }
    void runWithin(Action action, unsigned depth) {
        if (action.kind == Action::post) return post(depth + 1);
        if (action.kind == Action::wait) return waitForDrain(action.entry);
        claim(action.kind == Action::cancel, "a call posts, cancels or waits for a drain");
        cancel(action.entry);
    }

    // MARK: PostWithoutLane.swift

    // TypedChannel.postWithoutLane
    void postWithoutLane(unsigned begun, Expected &expected, unsigned depth) {
        unsigned copies[Channel::mostEntries], count = 0;
        channel.withState([&] {
            channel.everyone.liveEntries(chunks, [&](unsigned entry, unsigned number) {
                if (number >= begun) return;
                Chunk &chunk = chunks.at(Chunks::of(entry));
                chunk.slots[Chunks::index(entry)].memory.use();
                chunk.slots[Chunks::index(entry)].closure.retain();
                chunk.retain();
                copies[count++] = entry;
            });
        });
        for (unsigned index = 0; index < count; index++) {
            unsigned entry = copies[index];
            Chunk &chunk = chunks.at(Chunks::of(entry));
            bool isLive = false;
            channel.withState([&] {
                isLive = chunk.isLive(Chunks::index(entry));
                channel.callsWithoutLane[entry] += isLive;
            });
            if (!isLive) continue;
            if (chunk.isLive(Chunks::index(entry))) run(entry, chunk.slots[Chunks::index(entry)].closure, expected, depth);
            unsigned ended = 0;
            channel.withState([&] {
                channel.callsWithoutLane[entry] -= 1;
                ended = channel.takeEndedDrains();
            });
            channel.resume(ended);
        }
        for (unsigned index = 0; index < count; index++) {
            Chunk &chunk = chunks.at(Chunks::of(copies[index]));
            chunk.slots[Chunks::index(copies[index])].closure.release();
            chunk.release();
        }
    }
};
