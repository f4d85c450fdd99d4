// Lanes/Lane.swift and Lanes/Lanes.swift, step for step.
#pragma once

#include "words.hpp"

// Lane
struct Lane {
    static unsigned const marked = 1, departed = 2, numberBits = 12, oneNumber = 4, lowBits = 15;

    Word occupant, postNumber, announced;

    // Lane.claim
    bool claim(unsigned channel) {
        unsigned next = postNumber.load(ORDER("Lane.claim postNumber.load", relaxed)) + oneNumber;
        bool isClaimed = occupant.compareExchange(
            0, channel | (next & numberBits), ORDER("Lane.claim occupant.compareExchange", sequentiallyConsistent)).exchanged;
        if (isClaimed) postNumber.store(next, ORDER("Lane.claim postNumber.store", relaxed));
        return isClaimed;
    }

    // Lane.isFree
    bool isFree() { return occupant.load(ORDER("Lane.isFree occupant.load", relaxed)) == 0; }

    // Lane.announce
    void announce(unsigned entry) { announced.store(entry, ORDER("Lane.announce announced.store", releasing)); }

    // Lane.leave
    bool leave(unsigned channel) {
        unsigned word = channel | (postNumber.load(ORDER("Lane.leave postNumber.load", relaxed)) & numberBits);
        if (PLANTED("leaves without checking the mark")) return occupant.store(0, ORDER("planted", releasing)), true;
        return occupant.compareExchange(word, 0, ORDER("Lane.leave occupant.compareExchange", releasing)).exchanged;
    }

    // Lane.depart
    void depart(unsigned channel) {
        occupant.store(channel | departed, ORDER("Lane.depart occupant.store", sequentiallyConsistent));
    }

    // Lane.post
    unsigned post() {
        unsigned seen = occupant.load(ORDER("Lane.post occupant.load", sequentiallyConsistent));
        return PLANTED("takes a mark for the end of a post") ? seen : seen & ~marked;
    }

    // Lane.isPost
    static bool isPost(unsigned post, unsigned channel) { return (post & ~numberBits) == channel; }

    // Lane.mark
    bool mark(unsigned channel) {
        unsigned seen = occupant.load(ORDER("Lane.mark occupant.load", sequentiallyConsistent));
        if ((seen & ~numberBits) == (channel | marked)) return true;
        return (seen & ~numberBits) == channel
            && occupant.compareExchange(
                seen, seen | marked, ORDER("Lane.mark occupant.compareExchange", sequentiallyConsistent)).exchanged;
    }

    // Lane.hasDeparted
    bool hasDeparted(unsigned channel) {
        return occupant.load(ORDER("Lane.hasDeparted occupant.load", sequentiallyConsistent)) == (channel | departed);
    }

    // Lane.clear
    void clear() { occupant.store(0, ORDER("Lane.clear occupant.store", releasing)); }

    // Lane.numberedCall
    unsigned call(unsigned channel) {
        unsigned entry = announced.load(ORDER("Lane.numberedCall announced.load", sequentiallyConsistent));
        unsigned seen = occupant.load(ORDER("Lane.numberedCall occupant.load", sequentiallyConsistent));
        return (seen & ~lowBits) == channel ? entry : 0;
    }
};

// LaneHomes
struct LaneHomes {
    Word owned, everUsed, sharedCount;
    unsigned capacity = 0;

    // LaneHomes.used
    unsigned used() { return everUsed.load(ORDER("LaneHomes.used everUsed.load", sequentiallyConsistent)); }

    // LaneHomes.acquire
    unsigned acquire() {
        unsigned all = (1u << capacity) - 1, seen = owned.load(ORDER("LaneHomes.acquire owned.load", relaxed));
        while (seen != all) {
            unsigned index = 0;
            while (seen >> index & 1) index++;
            auto result = owned.compareExchange(
                seen, seen | 1u << index, ORDER("LaneHomes.acquire owned.compareExchange", acquiringAndReleasing));
            if (result.exchanged) return index;
            seen = result.original;
        }
        return sharedCount.wrappingAdd(1, ORDER("LaneHomes.acquire sharedCount.wrappingAdd", relaxed)) % capacity;
    }

    // LaneHomes.release
    void release(unsigned index) {
        owned.bitwiseAnd(~(1u << index), ORDER("LaneHomes.release owned.bitwiseAnd", acquiringAndReleasing));
    }

    // LaneHomes.use
    void use(unsigned index) {
        unsigned bit = 1u << index;
        if (!(everUsed.load(ORDER("LaneHomes.use everUsed.load", acquiring)) & bit))
            everUsed.bitwiseOr(bit, ORDER("LaneHomes.use everUsed.bitwiseOr", sequentiallyConsistent));
    }
};

// Lanes
struct Lanes {
    static unsigned const most = 4, none = ~0u;

    unsigned capacity = most;
    // The maximum number of checks in a wait. relacy also visits waits that give up after fewer checks.
    // (Lanes.patience)
    unsigned patience = 1;
    Lane lanes[most];
    LaneHomes homes;
    // Each thread's value of the thread-local key. No other thread reads the value.
    unsigned home[mostThreads];

    explicit Lanes(unsigned capacity) : capacity(capacity) {
        homes.capacity = capacity;
        for (unsigned &number : home) number = none;
    }

    // Lanes.claim
    unsigned claim(unsigned channel) {
        unsigned number = home[thisThread()];
        if (number != none && lanes[number].claim(channel)) return number;
        return claimOther(channel, number);
    }

    // Lanes.claimOther
    unsigned claimOther(unsigned channel, unsigned number) {
        unsigned first = number != none ? number + 1 : home[thisThread()] = homes.acquire();
        for (unsigned offset = 0; offset < capacity; offset++) {
            unsigned index = (first + offset) % capacity;
            if (!lanes[index].isFree()) continue;
            homes.use(index);
            if (lanes[index].claim(channel)) return index;
        }
        return none;
    }

    // The destructor of the thread-local key, in Lanes.init
    void threadEnds() {
        unsigned number = home[thisThread()];
        home[thisThread()] = none;
        if (number != none) homes.release(number);
    }

    // Lanes.haveLeft
    bool haveLeft(unsigned channel) {
        unsigned looks = any(patience + 1), others = homes.used();
        for (unsigned index = 0; index < capacity; index++) {
            if (!(others >> index & 1)) continue;
            if (PLANTED("the wait does not check the last lane") && index + 1 == capacity) continue;
            unsigned post = lanes[index].post();
            if (!Lane::isPost(post, channel)) continue;
            if (isPosting()) return false;
            while (lanes[index].post() == post) {
                if (looks == 0) return false;
                looks -= 1;
            }
        }
        return true;
    }

    // Lanes.isPosting
    bool isPosting() {
        unsigned number = home[thisThread()];
        return number != none && lanes[number].post() != 0;
    }

    // Lanes.lanes(where:)
    template <typename Condition>
    unsigned where(Condition isIncluded) {
        unsigned set = 0, others = homes.used();
        for (unsigned index = 0; index < capacity; index++)
            if (others >> index & 1 && isIncluded(lanes[index])) set |= 1u << index;
        return set;
    }

    // Lanes.hasPost
    bool hasPost(unsigned channel) {
        return where([=](Lane &lane) { return Lane::isPost(lane.post(), channel); }) != 0;
    }

    // Lanes.mark
    unsigned mark(unsigned channel) {
        return where([=](Lane &lane) { return lane.mark(channel); });
    }

    // Lanes.departed
    unsigned departed(unsigned channel) {
        return where([=](Lane &lane) { return lane.hasDeparted(channel); });
    }

    // Lanes.clear
    void clear(unsigned set) {
        for (unsigned index = 0; index < capacity; index++)
            if (set >> index & 1) lanes[index].clear();
    }
};
