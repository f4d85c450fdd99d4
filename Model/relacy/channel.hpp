// Channels/Channel.swift, Channels/Reclamation.swift and Channels/Drain.swift, step for step.
#pragma once

#include "lanes.hpp"
#include "lock.hpp"
#include "state.hpp"

// Channel
struct Channel {
    static unsigned const mostEntries = 10;

    Lanes &lanes;
    Chunks &chunks;
    unsigned name;
    Roster everyone;
    LockWord lock;
    Word hasDepartures;
    Retired retired;
    Drains drains;
    ChannelFinish finish;
    bool isMonitored = false;
    unsigned liveCount = 0, watchedCount = 0;
    // ChannelState.callsWithoutLane: the number of these calls for each entry.
    unsigned callsWithoutLane[mostEntries] = {};

    Channel(Lanes &lanes, Chunks &chunks, unsigned number) : lanes(lanes), chunks(chunks), name(16 * (number + 1)) {}

    // MARK: Reclamation.swift

    // Channel.withState
    template <typename Step>
    void withState(Step step) {
        lock.withLock(step);
        if (!PLANTED("no fence between the unlock and the flag of departures")) LockWord::fence();
        if (hasDepartures.load(ORDER("Channel.withState hasDepartures.load", sequentiallyConsistent))) freeDeparted();
    }

    // Channel.retire, ChannelState.retire
    void retire(Removed removed, bool hasWaited = false, bool hasLeft = false) {
        if (removed.isEmpty()) return;
        if (!hasWaited) hasLeft = lanes.haveLeft(name);
        if (hasLeft || PLANTED("removed memory is freed although the wait was given up")) return free(removed);
        Removed now;
        withState([&] {
            unsigned posts = lanes.mark(name);
            if (posts == 0) return now = removed, void();
            if (removed.entry != Removed::none && !PLANTED("memory that waits for posts keeps no reference to its chunk"))
                chunks.at(Chunks::of(removed.entry)).retain();
            retired.append(removed, posts);
        });
        free(now);
    }

    // Channel.free, with the end of Removed.Parts
    void free(Removed removed) {
        if (removed.entry != Removed::none) {
            Chunk &chunk = chunks.at(Chunks::of(removed.entry));
            chunk.destroy(Chunks::index(removed.entry));
        }
        if (removed.finishes) whenHiddenIsFreed();
        if (removed.chunk != Removed::none) chunks.at(removed.chunk).release();
        Roster::release(removed.hidden, removed.hiddenCount, chunks);
        freeParts(removed);
    }
    virtual void freeParts(Removed) {}
    virtual void whenHiddenIsFreed() {}

    // Channel.leaveMarked
    void leaveMarked(Lane &lane) {
        if (PLANTED("a marked post leaves without reporting")) return lane.clear();
        lane.depart(name);
        hasDepartures.store(1, ORDER("Channel.leaveMarked hasDepartures.store", sequentiallyConsistent));
        if (!PLANTED("no fence between the flag of departures and a check that finds the lock held")) LockWord::fence();
        freeDeparted();
    }

    // Channel.freeDeparted
    void freeDeparted() {
        bool isLate = PLANTED("the flag of departures is cleared after the scan of the lanes");
        while (hasDepartures.load(ORDER("Channel.freeDeparted hasDepartures.load", sequentiallyConsistent))) {
            Removed freed[Retired::most];
            unsigned ended = 0;
            bool isTaken = lock.withLockIfAvailable([&] {
                if (!isLate) takeFlagBack();
                unsigned departed = lanes.departed(name);
                if (isLate) takeFlagBack();
                retired.take(departed, freed);
                lanes.clear(departed);
                ended = takeEndedDrains();
            });
            if (!PLANTED("no fence between the unlock and the next check of the flag")) LockWord::fence();
            if (!isTaken) return;
            resume(ended);
            for (Removed removed : freed) {
                free(removed);
                if (removed.entry != Removed::none && !PLANTED("memory that waits for posts keeps no reference to its chunk"))
                    chunks.at(Chunks::of(removed.entry)).release();
            }
        }
    }
    void takeFlagBack() {
        hasDepartures.store(0, ORDER("Channel.freeDeparted hasDepartures.store", sequentiallyConsistent));
    }

    // MARK: Channel.swift

    // Channel.add, Channel.append, Channel.added; returns `refused` if the channel accepts no further entry.
    static unsigned const refused = ~0u;
    unsigned add(Roster &roster) {
        unsigned entry = refused;
        everyone.flags();
        Removed replaced;
        withState([&] {
            if (finish.hasBegun() && !PLANTED("an observer is added to a channel that has finished")) return;
            entry = roster.append(chunks, replaced);
            liveCount += 1;
            publish(roster);
        });
        if (entry == refused) return entry;
        retire(replaced);
        everyone.flags();
        return entry;
    }

    // Channel.publish
    void publish(Roster &roster) {
        if (finish.hasBegun()) return everyone.publish(flagsWhenFinished());
        if (&roster != &everyone) roster.publish(roster.liveCount == 1 ? Roster::isSingle : 0);
        everyone.publish(
            (liveCount > 0 || isMonitored ? Roster::hasEntries : 0) | (liveCount != everyone.liveCount ? Roster::isFiltered : 0)
            | (everyone.liveCount > 0 ? Roster::isShared : 0) | (everyone.liveCount == 1 ? Roster::isSingle : 0) | (watchedCount > 0 ? Roster::isWatched : 0)
            | (isMonitored ? Roster::isMonitored : 0));
    }

    // Channel.flagsWhenFinished
    unsigned flagsWhenFinished() {
        return (isMonitored ? Roster::hasEntries | Roster::isMonitored : 0)
            | (PLANTED("when a channel has finished, no entry seems to be limited to no sender") ? 0 : Roster::isShared);
    }

    // Channel.cancel, Channel.remove
    void cancel(unsigned entry, Roster &roster) {
        Chunk &chunk = chunks.at(Chunks::of(entry));
        unsigned index = Chunks::index(entry);
        if (!chunk.isLive(index)) return;
        everyone.flags();
        bool hasWaited = PLANTED("the wait comes before the entry is ended"), hasLeft = hasWaited && lanes.haveLeft(name);
        Removed removed;
        withState([&] {
            if (!chunk.isLive(index)) return;
            removed.entry = int(entry);
            chunk.hasTies.load(ORDER("Chunk.hasTies hasTies.load", relaxed));
            chunk.clearLive(index);
            roster.liveCount -= 1;
            bool unlinks = !finish.hasBegun() || PLANTED("hidden chunks are unlinked when they are dead");
            if (!chunk.isAnyLive() && unlinks) roster.unlinkIfFull(Chunks::of(entry), chunks, removed);
            forget(entry, roster, removed);
            liveCount -= 1;
            publish(roster);
        });
        retire(removed, hasWaited, hasLeft);
    }
    virtual void forget(unsigned, Roster &, Removed &) {}

    // MARK: Drain.swift

    // Channel.drain. A null `fence` means that the system has none. The Swift code then sleeps. The sleep orders nothing
    // in the language's terms, so it isn't modelled.
    void drain(unsigned entry, ProcessFence *fence) {
        unsigned number = 0;
        bool isPosting = true, isCalling = false;
        bool isLate = PLANTED("a drain requests reports only after its fence");
        if (!isLate) withState([&] {
            number = drains.begin(entry, chunks);
            isPosting = lanes.hasPost(name);
        });
        bool isFenced = !isPosting || fence;
        if (isPosting && fence && !PLANTED("a drain makes no fence")) fence->make();
        if (isLate) withState([&] { number = drains.begin(entry, chunks); });
        withState([&] {
            bool marksLate = PLANTED("without a fence, a drain does not search again after marking the lanes");
            if (!isFenced && !marksLate) lanes.mark(name);
            isCalling = calls() >> entry & 1;
            if (!isFenced && marksLate) lanes.mark(name);
            if (isCalling) drains.drains[number].isWaiting = true;
            else drains.end(number, chunks);
        });
        if (!isCalling) return;
        Word &resumed = drains.drains[number].resumed;
        while (resumed.wrappingAdd(0, ORDER("continuation", acquiring)) == 0) resumed.waitWhileEqual(0);
    }

    // Channel.callEnded
    void callEnded() {
        unsigned ended = 0;
        withState([&] { ended = takeEndedDrains(); });
        resume(ended);
    }

    // Channel.lookAgain: returns the live entries. The caller removes all others from its pending entries.
    unsigned lookAgain(Chunk &chunk) {
        if (chunk.live.load(ORDER("Channel.lookAgain live.load 1", relaxed)) & Chunk::drainBit) callEnded();
        return chunk.live.load(ORDER("Channel.lookAgain live.load 2", relaxed)) & ~Chunk::drainBit;
    }

    // ChannelState.takeEndedDrains, Drains.takeEnded: the numbers of the drains, as bits.
    unsigned takeEndedDrains() {
        unsigned ended = 0;
        if (drains.isEmpty()) return 0;
        unsigned called = calls();
        for (unsigned number = 0; number < Drains::most; number++) {
            auto &drain = drains.drains[number];
            if (!drain.isWaiting || called >> drain.entry & 1) continue;
            drains.end(number, chunks);
            ended |= 1u << number;
        }
        return ended;
    }

    // Channel.isCalling, ChannelState.calls, Lanes.numberedCalls: the entries that are called, as bits.
    unsigned calls() {
        unsigned called = 0, name = this->name;
        lanes.where([&](Lane &lane) {
            unsigned entry = lane.call(name);
            if (entry) called |= 1u << (entry - 1);
            return entry != 0;
        });
        for (unsigned entry = 0; entry < mostEntries; entry++) called |= (callsWithoutLane[entry] > 0) << entry;
        return called;
    }

    void resume(unsigned ended) {
        for (unsigned number = 0; number < Drains::most; number++) {
            if (!(ended >> number & 1)) continue;
            drains.drains[number].resumed.store(1, ORDER("continuation", releasing));
            drains.drains[number].resumed.wake(1);
        }
    }
};
