// Channels/Finishing.swift, and Channel.setMonitored with the host's part of it, step for step.
#pragma once

#include "senders.hpp"

struct FinishingChannel : SenderChannel {
    // ChannelLock.postsWithoutLane
    Word postsWithoutLane;

    using SenderChannel::SenderChannel;

    // MARK: Finishing.swift

    // Channel.finish: returns the number of the call, for `waitUntilLeft`.
    unsigned finishChannel() {
        unsigned number = finish.calls++;
        claim(number < ChannelFinish::mostCalls, "the case finishes more often than the model");
        bool isLeft = false;
        Removed hidden;
        withState([&] {
            if (!finish.hasBegun()) begin(hidden);
            if (finish.phase != ChannelFinish::ended) finish.whenLeft |= 1u << number;
            isLeft = finish.phase == ChannelFinish::ended;
        });
        if (isLeft) tellLeft(1u << number);
        if (!PLANTED("a channel that finishes does not wait for the lanes")) retire(hidden);
        else free(hidden);
        return number;
    }

    // Channel.hasFinished
    bool hasFinished() {
        bool has = false;
        withState([&] { has = finish.hasBegun(); });
        return has;
    }

    // Channel.begin
    void begin(Removed &hidden) {
        auto note = [&](unsigned entry, unsigned) {
            chunks.at(Chunks::of(entry)).retain();
            if (rosterNumber[entry]) rosters[rosterNumber[entry] - 1].retain();
            finish.entries[finish.count++] = entry;
        };
        for (unsigned place = 0; table && place < SenderTable::slots; place++)
            if (unsigned pointer = tables[table].rosterAt(place)) rosters[pointer - 1].roster.liveEntries(chunks, note);
        everyone.liveEntries(chunks, note);
        finish.phase = ChannelFinish::waitsForLanes;
        everyone.hide(flagsWhenFinished(), hidden);
        hidden.finishes = true;
    }

    // The action of Channel.begin, which runs when no post sees the chunks.
    void whenHiddenIsFreed() override {
        withState([&] { finish.phase = ChannelFinish::begun; });
        endIfLeft();
    }

    // Channel.leaveWithoutLane
    void leaveWithoutLane() {
        bool isLast = false;
        withState([&] {
            isLast = postsWithoutLane.wrappingSubtract(
                         1, ORDER("Channel.leaveWithoutLane postsWithoutLane.wrappingSubtract", relaxed)) == 0
                && finish.hasBegun();
        });
        if (isLast && !PLANTED("the last post without a lane does not end the entries")) endIfLeft();
    }

    // Channel.endIfLeft, ChannelFinish.end
    void endIfLeft() {
        bool ends = false;
        withState([&] {
            bool areLeft = postsWithoutLane.load(ORDER("Channel.endIfLeft postsWithoutLane.load", relaxed)) == 0
                || PLANTED("the entries end although a post without a lane is in progress");
            ends = areLeft
                && (finish.phase == ChannelFinish::begun
                    || (finish.phase == ChannelFinish::waitsForLanes
                        && PLANTED("a post without a lane ends the entries before the lanes are left")));
            if (ends) finish.phase = ChannelFinish::ending;
        });
        if (!ends) return;
        for (unsigned index = 0; index < finish.count; index++) cancel(finish.entries[index], rosterOf(finish.entries[index]));
        unsigned whenLeft = 0, count = finish.count;
        withState([&] {
            finish.phase = ChannelFinish::ended;
            whenLeft = finish.whenLeft;
            finish.whenLeft = finish.count = 0;
        });
        tellLeft(whenLeft);
        // KeptEntry.deinit
        for (unsigned index = 0; index < count; index++) {
            unsigned entry = finish.entries[index];
            chunks.at(Chunks::of(entry)).release();
            if (rosterNumber[entry]) rosters[rosterNumber[entry] - 1].release(chunks);
        }
    }

    // The closures that were passed to Channel.finish.
    void tellLeft(unsigned calls) {
        for (unsigned number = 0; number < ChannelFinish::mostCalls; number++) {
            if (!(calls >> number & 1)) continue;
            finish.left[number].store(1, ORDER("continuation", releasing));
            finish.left[number].wake(1);
        }
    }
    void waitUntilLeft(unsigned number) {
        Word &left = finish.left[number];
        while (left.wrappingAdd(0, ORDER("continuation", acquiring)) == 0) left.waitWhileEqual(0);
    }

    // Channel.refuse: returns the number of the entry, which was never live.
    unsigned refuse() {
        unsigned pointer = ++chunks.made;
        claim(pointer <= chunks.most, "the case has more entries than the model");
        Chunk &chunk = chunks.all[pointer - 1];
        chunk.make(0);
        chunk.initialize(0);
        everyone.flags();
        chunk.destroy(0);
        chunk.release(Chunk::capacity);
        return (pointer - 1) * Chunk::capacity;
    }

    // MARK: EntryStatus.swift and CenterChannelHost.swift

    // All lists of monitors that the host has had. List 0 stands for no list.
    static unsigned const mostMonitors = 4;
    struct Monitors {
        Memory memory{"a list of monitors"};
    } monitorLists[mostMonitors];
    unsigned madeMonitors = 1;
    Word monitors;

    // Channel.setMonitored
    void setMonitored(bool isMonitored) {
        Removed removed;
        withState([&] {
            if (unsigned replaced = replaceMonitors(isMonitored)) removed.hosted = int(replaced);
            this->isMonitored = isMonitored;
            publish(everyone);
        });
        retire(removed);
    }

    // CenterChannelHost.replaceMonitors: returns the previous monitors.
    unsigned replaceMonitors(bool areThere) {
        unsigned list = 0;
        if (areThere) {
            claim(madeMonitors < mostMonitors, "the case has more lists of monitors than the model");
            list = madeMonitors++;
            monitorLists[list].memory.make();
        }
        return monitors.exchange(list, ORDER("CenterChannelHost.replaceMonitors monitors.exchange", sequentiallyConsistent));
    }

    // CenterChannelHost.monitorsForPost, and a use of them
    unsigned monitorsForPost() {
        unsigned list = monitors.load(ORDER("CenterChannelHost.monitorsForPost monitors.load", sequentiallyConsistent));
        tell(list);
        return list;
    }
    void tell(unsigned list) {
        if (list) monitorLists[list].memory.use();
    }

    void freeParts(Removed removed) override {
        if (removed.hosted != Removed::none) monitorLists[removed.hosted].memory.free();
        SenderChannel::freeParts(removed);
    }
};
