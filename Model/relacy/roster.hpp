// Channels/Chunk.swift, Channels/Roster.swift and Channels/Walk.swift, step for step.
#pragma once

#include "words.hpp"

// The context of a closure. Swift's runtime counts its references, so the counting isn't a step of the engine.
struct Closure {
    Memory context{"a closure"};
    rl::atomic<unsigned> references;

    Closure() : references(0) {}
    void make() {
        context.make();
        references.store(1, rl::mo_relaxed, $);
    }
    void retain() { references.fetch_add(1, rl::mo_relaxed, $); }
    void release() {
        if (references.fetch_sub(1, rl::mo_acq_rel, $) == 1) context.free();
    }
};

// The memory that was taken out in one step: an entry, and everything that belongs to it. (Removed)
struct Removed {
    static int const none = -1;
    int entry = none, chunk = none, roster = none, table = none, watchList = none, hosted = none;
    // For a channel that finishes: its first chunk, the number of entries ever added, and whether finishing continues
    // when the chunks are freed. (Removed.Parts.hidden, Removed.Parts.whenFreed)
    unsigned hidden = 0, hiddenCount = 0;
    bool finishes = false;
    bool isEmpty() const {
        return entry == none && chunk == none && roster == none && table == none && watchList == none && hosted == none && !finishes;
    }
};

// Chunk. A pointer to a chunk is the chunk's number plus one; 0 is nil.
struct Chunk {
    static unsigned const most = 3, drainBit = 1u << 31;
    static inline unsigned capacity = 1;

    Memory memory{"a chunk"};
    Word live, next, previous, references, hasTies;
    unsigned first = 0;
    struct Slot {
        Memory memory{"the memory of a closure"};
        Closure closure;
    } slots[most];

    // Chunk.init, with Header.init
    void make(unsigned number) {
        memory.make();
        first = number;
        references.store(capacity + 1, ORDER("initial", relaxed));
    }

    // Chunk.retain
    void retain() {
        memory.use();
        references.wrappingAdd(1, ORDER("Chunk.retain references.wrappingAdd", relaxed));
    }

    // Chunk.release
    void release(unsigned count = 1) {
        memory.use();
        if (references.wrappingSubtract(count, ORDER("Chunk.release references.wrappingSubtract", acquiringAndReleasing)) == 0)
            memory.free();
    }

    // Chunk.destroy
    void destroy(unsigned index) {
        memory.use();
        slots[index].memory.free();
        slots[index].closure.release();
        hasTies.load(ORDER("Chunk.hasTies hasTies.load", relaxed));
    }

    // Chunk.initialize, and the closure's move into the memory
    void initialize(unsigned index) {
        slots[index].closure.make();
        slots[index].memory.make();
        hasTies.store(1, ORDER("Chunk.initialize hasTies.store", relaxed));
    }

    // Chunk.word
    unsigned word() {
        memory.use();
        return live.load(ORDER("Chunk.word live.load", relaxed));
    }
    void setWord(unsigned value) { live.store(value, ORDER("Chunk.word live.store", sequentiallyConsistent)); }

    // Chunk.live, Chunk.isLive
    bool isAnyLive() { return word() & ~drainBit; }
    bool isLive(unsigned index) { return word() & 1u << index; }

    // Chunk.setLive
    void setLive(unsigned index) {
        live.store(word() | 1u << index, ORDER("Chunk.setLive live.store", releasing));
    }

    // Chunk.clearLive
    void clearLive(unsigned index) { setWord(word() & ~(1u << index)); }

    // Chunk.setDrained
    void setDrained(bool isDrained) { setWord(isDrained ? word() | drainBit : word() & ~drainBit); }
};

// The chunks of all rosters. An entry's number is its chunk's number times the capacity, plus its index in the chunk.
struct Chunks {
    static unsigned const most = 5;

    Chunk all[most];
    unsigned made = 0;

    Chunk &at(unsigned pointer) {
        claim(pointer != 0, "nil is followed");
        all[pointer - 1].memory.use();
        return all[pointer - 1];
    }
    static unsigned of(unsigned entry) { return entry / Chunk::capacity + 1; }
    static unsigned index(unsigned entry) { return entry % Chunk::capacity; }
};

// Roster
struct Roster {
    static unsigned const hasEntries = 1, isFiltered = 2, isWatched = 4, isShared = 8, isMonitored = 16, isSingle = 32, flagBits = 6;

    Word head, board;
    unsigned tail = 0, addedCount = 0, liveCount = 0;

    // Roster.count
    unsigned count() { return board.load(ORDER("Roster.count board.load", sequentiallyConsistent)) >> flagBits; }

    // Roster.flags
    unsigned flags() { return board.load(ORDER("Roster.flags board.load", acquiring)) & ((1u << flagBits) - 1); }

    // Roster.beginning
    unsigned beginning() { return board.load(ORDER("Roster.beginning board.load", sequentiallyConsistent)); }

    // Roster.publish
    void publish(unsigned flags) {
        unsigned word = addedCount << flagBits | flags;
        if (board.load(ORDER("Roster.publish board.load", relaxed)) != word)
            board.store(word, ORDER("Roster.publish board.store", releasing));
    }

    // Roster.hide
    void hide(unsigned flags, Removed &hidden) {
        hidden.hiddenCount = addedCount;
        if (!PLANTED("a hidden roster keeps its number of entries")) addedCount += 1;
        bool isLate = PLANTED("a hidden roster shows its number of entries before its head is removed");
        if (isLate) showNumber(flags);
        hidden.hidden = PLANTED("a hidden roster keeps its head until its chunks are freed")
            ? head.load(ORDER("planted", relaxed))
            : head.exchange(0, ORDER("Roster.hide head.exchange", sequentiallyConsistent));
        if (!isLate) showNumber(flags);
    }
    void showNumber(unsigned flags) {
        board.store(addedCount << flagBits | flags, ORDER("Roster.hide board.store", sequentiallyConsistent));
    }

    // Roster.append
    unsigned append(Chunks &chunks, Removed &removed) {
        unsigned number = addedCount;
        if (tail == 0 || number - chunks.at(tail).first >= Chunk::capacity) {
            unsigned pointer = ++chunks.made;
            claim(pointer <= chunks.most, "the case has more entries than the model");
            chunks.all[pointer - 1].make(number);
            link(pointer, chunks, removed);
        }
        Chunk &chunk = chunks.at(tail);
        unsigned index = number - chunk.first;
        chunk.initialize(index);
        chunk.setLive(index);
        liveCount += 1;
        addedCount += 1;
        return (tail - 1) * Chunk::capacity + index;
    }

    // Roster.link
    void link(unsigned pointer, Chunks &chunks, Removed &removed) {
        unsigned old = tail;
        tail = pointer;
        if (old == 0) return head.store(pointer, ORDER("Roster.link head.store", sequentiallyConsistent));
        chunks.at(pointer).previous.store(old, ORDER("Roster.link previous.store", relaxed));
        bool isLate = PLANTED("a dead last chunk is unlinked before its successor is linked");
        if (isLate && !chunks.at(old).isAnyLive()) unlinkIfFull(old, chunks, removed);
        chunks.at(old).next.store(pointer, ORDER("Roster.link next.store", sequentiallyConsistent));
        if (!isLate && !chunks.at(old).isAnyLive()) unlinkIfFull(old, chunks, removed);
    }

    // Roster.unlinkIfFull
    void unlinkIfFull(unsigned pointer, Chunks &chunks, Removed &removed) {
        if (pointer == tail) return;
        unsigned previous = chunks.at(pointer).previous.load(ORDER("Roster.unlink previous.load", relaxed));
        unsigned next = chunks.at(pointer).next.load(ORDER("Roster.unlink next.load", relaxed));
        if (previous)
            chunks.at(previous).next.store(next, ORDER("Roster.unlink next.store", sequentiallyConsistent));
        else
            head.store(next, ORDER("Roster.unlink head.store", sequentiallyConsistent));
        if (next) chunks.at(next).previous.store(previous, ORDER("Roster.unlink previous.store", relaxed));
        removed.chunk = int(pointer);
    }

    // Roster.releaseChunks, at the end of the roster
    void releaseChunks(Chunks &chunks) {
        release(head.exchange(0, ORDER("Roster.releaseChunks head.exchange", relaxed)), addedCount, chunks);
    }

    // HiddenChunks.release
    static void release(unsigned pointer, unsigned count, Chunks &chunks) {
        while (pointer) {
            Chunk &chunk = chunks.at(pointer);
            pointer = chunk.next.load(ORDER("HiddenChunks.release next.load", relaxed));
            unsigned end = chunk.first + Chunk::capacity;
            chunk.release(1 + (end > count ? end - count : 0));
        }
    }

    // Roster.liveEntries; the lock is held. `look` receives each live entry, and its number in the roster.
    template <typename Look>
    void liveEntries(Chunks &chunks, Look look) {
        unsigned pointer = head.load(ORDER("Roster.liveEntries head.load", relaxed));
        while (pointer) {
            Chunk &chunk = chunks.at(pointer);
            unsigned live = chunk.word() & ~Chunk::drainBit;
            for (unsigned index = 0; index < Chunk::capacity; index++)
                if (live >> index & 1) look((pointer - 1) * Chunk::capacity + index, chunk.first + index);
            pointer = chunk.next.load(ORDER("Roster.liveEntries next.load", relaxed));
        }
    }
};

// Walk
struct Walk {
    Chunks &chunks;
    unsigned pointer = 0, pending = 0, count;
    bool isAtEnd = true;

    // Walk.init
    Walk(Chunks &chunks, Roster &roster, unsigned count) : chunks(chunks), count(count) {
        pointer = roster.head.load(ORDER("Walk.init head.load", sequentiallyConsistent));
        enter();
    }

    // Walk.below
    static unsigned below(int number) { return number >= 31 ? ~0u : number <= 0 ? 0 : (1u << number) - 1; }

    // Walk.place, Walk.number
    unsigned index() const {
        unsigned index = 0;
        while (!(pending >> index & 1)) index++;
        return index;
    }
    unsigned entry() const { return (pointer - 1) * Chunk::capacity + index(); }
    unsigned number() { return isAtEnd ? ~0u : chunks.at(pointer).first + index(); }

    // Walk.advance
    void advance() {
        pending &= pending - 1;
        if (pending == 0) leaveChunk();
    }

    // Walk.leaveChunk
    void leaveChunk() {
        pointer = chunks.at(pointer).next.load(ORDER("Walk.leaveChunk next.load", sequentiallyConsistent));
        enter();
    }

    // Walk.enter
    void enter() {
        isAtEnd = true;
        while (pointer) {
            Chunk &chunk = chunks.at(pointer);
            unsigned live = chunk.live.load(ORDER("Walk.enter live.load", sequentiallyConsistent)) & ~Chunk::drainBit;
            pending = live & below(int(count) - int(chunk.first));
            if (pending) return isAtEnd = false, void();
            pointer = chunk.next.load(ORDER("Walk.enter next.load", sequentiallyConsistent));
        }
    }
};
