// Channels/SenderTable.swift, Channels/WatchList.swift and their uses in Channel.swift, step for step. Posts read these
// structures in addition to `everyone`. A structure may be replaced while a post reads it.
#pragma once

#include "channel.hpp"

// A roster for one sender. The sender's number, which is at least 1, is also its tag. (Roster)
struct SenderRoster {
    Memory memory{"a roster"};
    Roster roster;
    unsigned tag = 0;
    // Swift's runtime counts the references. Posts hold no reference.
    rl::atomic<unsigned> references;

    SenderRoster() : references(1) {}
    void retain() { references.fetch_add(1, rl::mo_relaxed, $); }
    void release(Chunks &chunks) {
        if (references.fetch_sub(1, rl::mo_acq_rel, $) != 1) return;
        memory.free();
        roster.releaseChunks(chunks);
    }
};

// SenderTable
struct SenderTable {
    static unsigned const slots = 2;

    Memory memory{"an index"};
    Word tag[slots], roster[slots];
    // The number of slots that were ever used. Accessed only under the lock.
    unsigned used = 0;

    // SenderTable.first: the number of the roster plus one. A table of the model may have no free slot, so the search
    // ends after one round.
    unsigned first(unsigned wanted) {
        for (unsigned index = 0; index < slots; index++) {
            unsigned place = (wanted + index) % slots;
            memory.use();
            unsigned found = tag[place].load(ORDER("SenderTable.first tag.load", acquiring));
            if (found == 0) return 0;
            if (found != wanted) continue;
            unsigned pointer = rosterAt(place);
            if (pointer) return pointer;
        }
        return 0;
    }

    // SenderTable.roster(at:)
    unsigned rosterAt(unsigned place) {
        memory.use();
        return roster[place].load(ORDER("SenderTable.roster roster.load", sequentiallyConsistent));
    }

    // SenderTable.insert
    bool insert(unsigned pointer, unsigned wanted) {
        for (unsigned index = 0; index < slots; index++) {
            unsigned place = (wanted + index) % slots;
            unsigned found = tag[place].load(ORDER("SenderTable.insert tag.load", relaxed));
            bool isLeft = found == wanted && roster[place].load(ORDER("SenderTable.insert roster.load", relaxed)) == 0;
            if (found != 0 && !isLeft) continue;
            if (found == 0) used += 1;
            roster[place].store(pointer, ORDER("SenderTable.insert roster.store", sequentiallyConsistent));
            tag[place].store(wanted, ORDER("SenderTable.insert tag.store", sequentiallyConsistent));
            return true;
        }
        return false;
    }

    // SenderTable.remove
    void remove(unsigned pointer, unsigned wanted) {
        for (unsigned index = 0; index < slots; index++) {
            unsigned place = (wanted + index) % slots;
            if (tag[place].load(ORDER("SenderTable.remove tag.load", relaxed)) != wanted) continue;
            if (roster[place].load(ORDER("SenderTable.remove roster.load", relaxed)) != pointer) continue;
            return roster[place].store(0, ORDER("SenderTable.remove roster.store", sequentiallyConsistent));
        }
    }
};

// WatchList
struct WatchList {
    static unsigned const most = 4;

    struct Slot {
        Memory memory{"a watched entry"};
    } slots[most];
    Memory memory{"a list of watched entries"};
    unsigned entry[most] = {}, capacity = 0;
    Word counted, ended;

    // WatchList.count
    unsigned count() {
        memory.use();
        return counted.load(ORDER("WatchList.count counted.load", acquiring));
    }

    // WatchList.liveCount
    unsigned liveCount() {
        memory.use();
        return counted.load(ORDER("WatchList.liveCount counted.load", relaxed))
            - ended.load(ORDER("WatchList.liveCount ended.load", relaxed));
    }

    // WatchList.isStale
    bool isStale() { return ended.load(ORDER("WatchList.isStale ended.load", relaxed)) * 2 > count(); }

    // WatchList.append
    void append(unsigned added) {
        unsigned index = count();
        claim(index < most, "the case watches more entries than the model");
        entry[index] = added;
        slots[index].memory.make();
        counted.store(index + 1, ORDER("WatchList.append counted.store", releasing));
    }

    // WatchList.noteEnd
    void noteEnd() {
        ended.store(ended.load(ORDER("WatchList.noteEnd ended.load", relaxed)) + 1, ORDER("WatchList.noteEnd ended.store", relaxed));
    }
};

// Channel, with rosters for senders.
struct SenderChannel : Channel {
    static unsigned const most = 4;

    SenderRoster rosters[most];
    SenderTable tables[most];
    WatchList lists[most];
    unsigned madeRosters = 0, madeTables = 1, madeLists = 1;
    // ChannelState.senders and ChannelState.watched, and the words that posts read. The first table and the first
    // list are empty, and are never freed.
    unsigned table = 0, list = 0;
    Word senders, watched;
    unsigned position[mostEntries] = {};
    bool isWatched[mostEntries] = {};
    // The roster of an entry, by its number plus one; 0 for every sender. (Chunk.Header.roster)
    unsigned rosterNumber[mostEntries] = {};

    SenderChannel(Lanes &lanes, Chunks &chunks) : Channel(lanes, chunks, 0) {
        tables[0].memory.make();
        lists[0].memory.make();
        // An empty table is always full. (SenderTable.empty)
        tables[0].used = SenderTable::slots;
    }

    Roster &rosterOf(unsigned entry) {
        return rosterNumber[entry] ? rosters[rosterNumber[entry] - 1].roster : everyone;
    }

    // Channel.roster(_:in:_:), with SenderTable.grown
    Roster &rosterFor(unsigned tag, Removed &replaced) {
        unsigned pointer = table ? tables[table].first(tag) : 0;
        if (pointer) return rosters[pointer - 1].roster;
        claim(madeRosters < most, "the case has more rosters than the model");
        pointer = ++madeRosters;
        rosters[pointer - 1].memory.make();
        rosters[pointer - 1].tag = tag;
        if (tables[table].used == SenderTable::slots) {
            claim(madeTables < most, "the case has more indexes than the model");
            SenderTable &grown = tables[madeTables];
            grown.memory.make();
            for (unsigned place = 0; table && place < SenderTable::slots; place++)
                if (unsigned kept = tables[table].rosterAt(place))
                    grown.insert(kept, tables[table].tag[place].load(ORDER("SenderTable.grown tag.load", relaxed)));
            if (table) replaced.table = int(table);
            table = madeTables++;
            senders.store(table, ORDER("Channel.roster senders.store", sequentiallyConsistent));
        }
        claim(tables[table].insert(pointer, tag), "the case has more senders at once than the model");
        return rosters[pointer - 1].roster;
    }

    // Channel.add(_:for:initialize:), Channel.append
    unsigned add(unsigned tag, bool watches) {
        unsigned entry = refused;
        everyone.flags();
        Removed replaced;
        withState([&] {
            if (finish.hasBegun()) return;
            Roster &roster = rosterFor(tag, replaced);
            entry = roster.append(chunks, replaced);
            position[entry] = everyone.addedCount;
            for (unsigned index = 0; index < madeRosters; index++)
                if (&rosters[index].roster == &roster) rosterNumber[entry] = index + 1;
            isWatched[entry] = watches;
            if (watches) watch(entry, replaced);
            liveCount += 1;
            publish(roster);
        });
        if (entry != refused) retire(replaced);
        return entry;
    }

    // Channel.watch, Channel.renewWatched, WatchList.renewed
    void watch(unsigned entry, Removed &replaced) {
        if (lists[list].count() == lists[list].capacity) renewWatched(replaced);
        lists[list].append(entry);
        watchedCount = lists[list].liveCount();
    }
    void renewWatched(Removed &replaced) {
        claim(madeLists < most, "the case has more lists of watched entries than the model");
        WatchList &old = lists[list], &renewed = lists[madeLists];
        renewed.memory.make();
        renewed.capacity = 1;
        for (unsigned index = 0, count = old.count(); index < count; index++) {
            unsigned entry = old.entry[index];
            if (!chunks.at(Chunks::of(entry)).isLive(Chunks::index(entry))) continue;
            renewed.capacity += 2;
            renewed.append(entry);
        }
        if (list) replaced.watchList = int(list);
        list = madeLists++;
        watched.store(list, ORDER("Channel.renewWatched watched.store", sequentiallyConsistent));
    }

    // Channel.remove, in addition to Channel::cancel: ChannelState.forget, Channel.noteWatchedEnd
    void forget(unsigned entry, Roster &roster, Removed &removed) override {
        if (isWatched[entry]) {
            lists[list].noteEnd();
            if (lists[list].isStale()) renewWatched(removed);
            watchedCount = lists[list].liveCount();
        }
        if (&roster == &everyone || roster.liveCount > 0) return;
        for (unsigned index = 0; index < madeRosters; index++) {
            if (&rosters[index].roster != &roster) continue;
            tables[table].remove(index + 1, rosters[index].tag);
            removed.roster = int(index);
        }
    }

    // Frees memory that was taken out, and with a roster also releases its chunks.
    void freeParts(Removed removed) override {
        if (removed.table != Removed::none) tables[removed.table].memory.free();
        if (removed.watchList != Removed::none) {
            WatchList &list = lists[removed.watchList];
            for (unsigned index = 0; index < list.count(); index++) list.slots[index].memory.free();
            list.memory.free();
        }
        if (removed.roster == Removed::none) return;
        rosters[removed.roster].release(chunks);
    }
};
