// Channels/ChannelDirectory.swift, step for step. A center adds channels, and never removes any.
#pragma once

#include "lock.hpp"

// ChannelTable
struct ChannelTable {
    static unsigned const most = 8;

    Memory memory{"a table of channels"};
    Word type[most], channel[most];
    unsigned capacity = 0, count = 0;

    void make(unsigned capacity) {
        memory.make();
        this->capacity = capacity;
    }

    // ChannelTable.channel: the channel's number plus one; 0 if there is none.
    unsigned find(unsigned wanted) {
        memory.use();
        for (unsigned index = wanted % capacity;; index = (index + 1) % capacity) {
            unsigned found = type[index].load(ORDER("ChannelTable.channel type.load", acquiring));
            if (found == wanted) return channel[index].load(ORDER("ChannelTable.channel channel.load", relaxed));
            if (found == 0) return 0;
        }
    }

    // ChannelTable.isFull
    bool isFull() const { return (count + 1) * 2 > capacity; }

    // ChannelTable.insert
    void insert(unsigned added, unsigned key) {
        unsigned index = key % capacity;
        while (type[index].load(ORDER("ChannelTable.insert type.load", relaxed)) != 0) index = (index + 1) % capacity;
        channel[index].store(added, ORDER("ChannelTable.insert channel.store", relaxed));
        type[index].store(key, ORDER("ChannelTable.insert type.store", releasing));
        count += 1;
    }
};

// ChannelDirectory. A channel is memory that its creator has initialized.
struct ChannelDirectory {
    static unsigned const mostTables = 3, mostChannels = 4;

    struct Made {
        Memory memory{"a channel"};
        bool hasFinished = false;
    } channels[mostChannels];
    ChannelTable tables[mostTables];
    Word table;
    LockWord lock;
    unsigned last = 0, made = 0;
    bool hasFinished = false;

    ChannelDirectory() { tables[0].make(2); }

    // ChannelDirectory.channel
    unsigned channel(unsigned key) {
        unsigned found = tables[table.load(ORDER("ChannelDirectory.channel table.load", acquiring))].find(key);
        if (found) channels[found - 1].memory.use();
        return found;
    }

    // ChannelDirectory.makeChannel
    void makeChannel(unsigned key) {
        lock.withLock([&] {
            if (channel(key)) return;
            claim(made < mostChannels, "the case has more channels than the model");
            channels[made].memory.make();
            channels[made++].hasFinished = hasFinished;
            if (tables[last].isFull()) grow();
            tables[last].insert(made, key);
        });
    }

    // ChannelDirectory.finish. Each existing channel then finishes under its own lock.
    void finish() {
        unsigned count = 0;
        lock.withLock([&] {
            if (!PLANTED("a center that finishes does not mark channels that are created later")) hasFinished = true;
            count = made;
        });
        for (unsigned index = 0; index < count; index++) channels[index].hasFinished = true;
    }

    // ChannelTable.grown, and its publication by ChannelDirectory.makeChannel
    void grow() {
        ChannelTable &old = tables[last], &grown = tables[last + 1];
        claim(last + 1 < mostTables, "the case has more tables of channels than the model");
        grown.make(old.capacity * 2);
        for (unsigned index = 0; index < old.capacity; index++) {
            unsigned type = old.type[index].load(ORDER("ChannelTable.grown type.load", relaxed));
            if (type) grown.insert(old.channel[index].load(ORDER("ChannelTable.grown channel.load", relaxed)), type);
        }
        last += 1;
        table.store(last, ORDER("ChannelDirectory.makeChannel table.store", releasing));
    }
};
