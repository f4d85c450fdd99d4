// Parts of a channel's state, which its lock guards: ChannelFinish in Channels/Finishing.swift, Retired in
// Channels/Reclamation.swift, Drains in Channels/Drain.swift.
#pragma once

#include "roster.hpp"

// ChannelState.finish. (ChannelFinish)
struct ChannelFinish {
    static unsigned const mostEntries = 10, mostCalls = 3;
    enum Phase { none, waitsForLanes, begun, ending, ended } phase = none;
    // The entries that have to end. (KeptEntry)
    unsigned entries[mostEntries], count = 0;
    // The waiting tasks, by the number of the call of `finish`. Each task waits for a word, which stands for its
    // continuation.
    unsigned calls = 0, whenLeft = 0;
    Word left[mostCalls];

    bool hasBegun() const { return phase != none; }
};

// ChannelState.retired: removed memory. Each item has the lanes of the posts that it waits for. (Retired)
struct Retired {
    static unsigned const most = 8;
    struct Waiting {
        unsigned lanes = 0;
        Removed removed;
    } waiting[most];

    // Retired.append
    void append(Removed removed, unsigned lanes) {
        for (Waiting &place : waiting)
            if (place.lanes == 0) return place = Waiting{lanes, removed}, void();
        fail("the case takes out more than the model can hold");
    }

    // Retired.take: returns the memory that waited for no other lanes.
    void take(unsigned lanes, Removed (&freed)[most]) {
        for (unsigned index = 0; index < most; index++) {
            if (!(waiting[index].lanes & lanes)) continue;
            waiting[index].lanes &= ~lanes;
            if (waiting[index].lanes == 0) freed[index] = waiting[index].removed;
        }
    }
};

// ChannelState.drains (Drains)
struct Drains {
    static unsigned const most = 3;
    struct Drain {
        bool hasBegun = false, isWaiting = false;
        unsigned entry = 0;
        // Stands for the continuation, whose steps are those of the runtime and not of the engine.
        Word resumed;
    } drains[most];
    unsigned lastNumber = 0;

    bool isEmpty() const {
        for (Drain const &drain : drains)
            if (drain.hasBegun) return false;
        return true;
    }
    unsigned countOf(unsigned chunk) const {
        unsigned count = 0;
        for (Drain const &drain : drains) count += drain.hasBegun && Chunks::of(drain.entry) == chunk;
        return count;
    }

    // Drains.begin
    unsigned begin(unsigned entry, Chunks &chunks) {
        unsigned number = lastNumber++;
        claim(number < most, "the case has more drains than the model");
        drains[number].hasBegun = true;
        drains[number].entry = entry;
        chunks.at(Chunks::of(entry)).setDrained(true);
        return number;
    }

    // Drains.end
    void end(unsigned number, Chunks &chunks) {
        unsigned chunk = Chunks::of(drains[number].entry);
        drains[number].hasBegun = drains[number].isWaiting = false;
        bool areOthers = countOf(chunk) > 0;
        if (!areOthers || PLANTED("when a drain ends, posts briefly do not report for another drain"))
            chunks.at(chunk).setDrained(false);
        if (areOthers && PLANTED("when a drain ends, posts briefly do not report for another drain"))
            chunks.at(chunk).setDrained(true);
    }
};
