// Posts: Channels/TypedChannel.swift, Channels/SinglePost.swift, Channels/PostWithoutLane.swift and the parts of SenderSearch.swift that they use,
// step for step.
#pragma once

#include "finishing.hpp"

// The entries that a post must call, must not call, and has called, as bits.
struct Expected {
    unsigned must = 0, mustNot = 0, called = 0;
    bool hasFinished = false;
};

struct Posts {
    Chunks chunks;
    Lanes lanes;
    FinishingChannel channel{lanes, chunks};

    explicit Posts(unsigned capacity) : lanes(capacity) {}

    virtual void run(unsigned entry, Closure &closure, Expected &expected, unsigned depth) = 0;

    // TypedChannel.postIfUsual, TypedChannel.postToEveryone, TypedChannel.postFiltered, and TypedChannel.post of a monitored channel; a
    // sender is a tag.
    void post(unsigned sender, Expected &expected, unsigned depth) {
        unsigned beginning = channel.everyone.beginning();
        if (!(beginning & Roster::hasEntries)) return;
        bool isTold = beginning & Roster::isMonitored, isFiltered = beginning & Roster::isFiltered;
        // Before this second load, Swift reads the sender, or the host checks whether it has to report.
        if (isTold || isFiltered) beginning = channel.everyone.beginning();
        if (isTold && !(beginning & Roster::hasEntries)) return;
        unsigned number = lanes.claim(channel.name), begun = beginning >> Roster::flagBits;
        if (number == Lanes::none) return postWithoutLane(sender, begun, expected, depth);
        Lane &lane = lanes.lanes[number];
        unsigned monitors = isTold ? channel.monitorsForPost() : 0;
        if (isTold ? beginning & Roster::isFiltered : isFiltered)
            callFiltered(sender, beginning, begun, !isTold, lane, expected, depth);
        else if (isTold || !(beginning & Roster::isSingle) || !callOnly(channel.everyone, begun, lane, expected, depth))
            call(channel.everyone, begun, lane, expected, depth);
        channel.tell(monitors);
        if (!lane.leave(channel.name)) channel.leaveMarked(lane);
    }

    // TypedChannel.call(_:_:_:_:_:_:), TypedChannel.callObservers, with TypedChannel.table and TypedChannel.roster(ofObjectAt:)
    void callFiltered(unsigned sender, unsigned flags, unsigned begun, bool isPlain, Lane &lane, Expected &expected, unsigned depth) {
        unsigned table = channel.senders.load(ORDER("TypedChannel.table senders.load", sequentiallyConsistent));
        unsigned found = sender && table ? channel.tables[table].first(sender) : 0;
        if (!found) {
            bool isSingle = isPlain && (flags & (Roster::isSingle | Roster::isWatched)) == Roster::isSingle;
            if (isSingle && callOnly(channel.everyone, begun, lane, expected, depth)) return;
            if (flags & Roster::isWatched) endWatchedDead();
            return call(channel.everyone, begun, lane, expected, depth);
        }
        SenderRoster &roster = channel.rosters[found - 1];
        roster.memory.use();
        // TypedChannel.post(_:to:_:_:in:)
        if (isPlain && !(flags & (Roster::isShared | Roster::isWatched))) {
            unsigned word = roster.roster.beginning();
            if (word & Roster::isSingle && channel.everyone.count() == begun
                && callOnly(roster.roster, word >> Roster::flagBits, lane, expected, depth))
                return;
        }
        unsigned count = roster.roster.count();
        if (flags & Roster::isWatched) endWatchedDead();
        roster.memory.use();
        bool merges = flags & Roster::isShared || channel.everyone.count() != begun;
        if (merges && !PLANTED("a post to one sender does not check for new observers of every sender"))
            callMerged(roster, count, begun, lane, expected, depth);
        else
            call(roster.roster, count, lane, expected, depth);
    }

    // Channel.endWatchedDead: checks the entries. In the model, no owner or sender dies, because the engine cancels the
    // entries of dead objects like any others.
    void endWatchedDead() {
        unsigned number = channel.watched.load(ORDER("Channel.endWatchedDead watched.load", sequentiallyConsistent));
        WatchList &list = channel.lists[number];
        unsigned count = list.count();
        list.liveCount();
        for (unsigned index = 0; index < count; index++) {
            list.memory.use();
            list.slots[index].memory.use();
            unsigned entry = list.entry[index];
            chunks.at(Chunks::of(entry)).isLive(Chunks::index(entry));
        }
    }

    // TypedChannel.callOnly
    bool callOnly(Roster &roster, unsigned count, Lane &lane, Expected &expected, unsigned depth) {
        unsigned next = roster.head.load(ORDER("TypedChannel.callOnly head.load", sequentiallyConsistent));
        if (!next) return false;
        Chunk &chunk = chunks.at(next);
        unsigned live = chunk.live.load(ORDER("TypedChannel.callOnly live.load 1", sequentiallyConsistent));
        if (!live || live & Chunk::drainBit || live & (live - 1)) return false;
        unsigned index = __builtin_ctz(live);
        if (chunk.first + index >= count) return false;
        unsigned entry = (next - 1) * Chunk::capacity + index;
        lane.announce(entry + 1);
        chunk.memory.use();
        if (chunk.live.load(ORDER("TypedChannel.callOnly live.load 2", relaxed)) != live
            && !PLANTED("a post to a single observer does not check again whether it is live")) {
            if (!PLANTED("a post that finds its single observer cancelled still announces it")) leave(chunk, lane);
            return false;
        }
        runInPlace(entry, expected, depth);
        leave(chunk, lane);
        return true;
    }

    // TypedChannel.call(_:_:_:_:_:)
    void call(Roster &roster, unsigned count, Lane &lane, Expected &expected, unsigned depth) {
        unsigned next = roster.head.load(ORDER("TypedChannel.call head.load", sequentiallyConsistent));
        while (next) {
            Chunk &chunk = chunks.at(next);
            unsigned seen = chunk.live.load(ORDER("TypedChannel.call live.load 1", sequentiallyConsistent)) & ~Chunk::drainBit;
            unsigned pending = seen & Walk::below(int(count) - int(chunk.first));
            for (unsigned index = 0; index < Chunk::capacity && pending >> index; index++) {
                if (!(pending >> index & 1)) continue;
                unsigned entry = (next - 1) * Chunk::capacity + index;
                lane.announce(entry + 1);
                chunk.memory.use();
                bool looksLate = PLANTED("a post checks whether to report a call before it announces the next one");
                if (!PLANTED("a post does not check again whether an entry is live") && !looksLate
                    && chunk.live.load(ORDER("TypedChannel.call live.load 2", relaxed)) != seen) {
                    seen = channel.lookAgain(chunk);
                    pending &= seen;
                    if (!(pending >> index & 1)) continue;
                }
                runInPlace(entry, expected, depth);
                if (looksLate) seen = channel.lookAgain(chunk), pending &= seen | 1u << index;
            }
            leave(chunk, lane);
            chunk.memory.use();
            next = chunk.next.load(ORDER("TypedChannel.call next.load", sequentiallyConsistent));
        }
    }

    // TypedChannel.callMerged
    void callMerged(SenderRoster &roster, unsigned count, unsigned begun, Lane &lane, Expected &expected, unsigned depth) {
        Walk everyone(chunks, channel.everyone, begun), filtered(chunks, roster.roster, count);
        if (everyone.isAtEnd && !PLANTED("a merged post does not check whether the channel has finished") && channel.hasFinished()) return;
        while (!filtered.isAtEnd) {
            unsigned position = channel.position[filtered.entry()];
            if (position > begun) break;
            while (everyone.number() < position) callNext(everyone, lane, expected, depth);
            callNext(filtered, lane, expected, depth);
        }
        while (!everyone.isAtEnd) callNext(everyone, lane, expected, depth);
    }

    // TypedChannel.callNext
    void callNext(Walk &walk, Lane &lane, Expected &expected, unsigned depth) {
        unsigned entry = walk.entry();
        Chunk &chunk = chunks.at(walk.pointer);
        unsigned bit = 1u << walk.index();
        walk.advance();
        lane.announce(entry + 1);
        chunk.memory.use();
        unsigned live = chunk.live.load(ORDER("TypedChannel.callNext live.load", relaxed));
        bool isLive = (live & (bit | Chunk::drainBit)) == bit;
        if (!isLive) isLive = channel.lookAgain(chunk) & bit;
        if (isLive) runInPlace(entry, expected, depth);
        leave(chunk, lane);
    }

    // TypedChannel.leave
    void leave(Chunk &chunk, Lane &lane) {
        lane.announce(0);
        chunk.memory.use();
        if (chunk.live.load(ORDER("TypedChannel.leave live.load", sequentiallyConsistent)) & Chunk::drainBit) channel.callEnded();
    }

    void runInPlace(unsigned entry, Expected &expected, unsigned depth) {
        auto &slot = chunks.at(Chunks::of(entry)).slots[Chunks::index(entry)];
        slot.memory.use();
        run(entry, slot.closure, expected, depth);
        slot.memory.use();
    }

    // TypedChannel.postWithoutLane, TypedChannel.copies
    void postWithoutLane(unsigned sender, unsigned begun, Expected &expected, unsigned depth) {
        unsigned copies[Channel::mostEntries], count = 0;
        bool hasBegun = false;
        channel.withState([&] {
            if (channel.finish.hasBegun() && !PLANTED("a post without a lane does not check whether the channel has finished")) return;
            hasBegun = true;
            auto copy = [&](unsigned entry) {
                Chunk &chunk = chunks.at(Chunks::of(entry));
                chunk.slots[Chunks::index(entry)].memory.use();
                chunk.slots[Chunks::index(entry)].closure.retain();
                chunk.retain();
                copies[count++] = entry;
            };
            channel.everyone.liveEntries(chunks, [&](unsigned entry, unsigned number) {
                if (number < begun) copy(entry);
            });
            unsigned found = sender && channel.table ? channel.tables[channel.table].first(sender) : 0;
            if (found) channel.rosters[found - 1].roster.liveEntries(chunks, [&](unsigned entry, unsigned) {
                if (channel.position[entry] <= begun) copy(entry);
            });
            if (found)
                channel.postsWithoutLane.wrappingAdd(1, ORDER("TypedChannel.copies postsWithoutLane.wrappingAdd 2", relaxed));
            else
                channel.postsWithoutLane.wrappingAdd(1, ORDER("TypedChannel.copies postsWithoutLane.wrappingAdd 1", relaxed));
        });
        if (!hasBegun) return;
        for (unsigned index = 0; index < count; index++) callCopy(copies[index], expected, depth);
        channel.leaveWithoutLane();
        for (unsigned index = 0; index < count; index++) {
            Chunk &chunk = chunks.at(Chunks::of(copies[index]));
            chunk.slots[Chunks::index(copies[index])].closure.release();
            chunk.release();
        }
    }
    void callCopy(unsigned entry, Expected &expected, unsigned depth) {
        Chunk &chunk = chunks.at(Chunks::of(entry));
        bool isLive = false;
        channel.withState([&] {
            isLive = chunk.isLive(Chunks::index(entry));
            channel.callsWithoutLane[entry] += isLive;
        });
        if (!isLive) return;
        if (chunk.isLive(Chunks::index(entry))) run(entry, chunk.slots[Chunks::index(entry)].closure, expected, depth);
        unsigned ended = 0;
        channel.withState([&] {
            channel.callsWithoutLane[entry] -= 1;
            ended = channel.takeEndedDrains();
        });
        channel.resume(ended);
    }
};
