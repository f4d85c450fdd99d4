// The actions of threads on the engine, and the claims about it.
//
// Each thread performs a program of actions. It announces most of them in the word `news`, which it reads before it
// posts. So it can rely on its own actions, and on the announced actions that it has read, because they happen before
// the post, in the language's sense.
#pragma once

#include "directory.hpp"
#include "posts.hpp"

struct Action {
    enum Kind { post, add, watch, cancel, drain, wait, end, make, look, finish, monitor, shut } kind;
    // The observer, the type of a channel, or the sender of a post or of an added observer (0 for every sender).
    unsigned entry;
};
using Program = std::vector<Action, rl::raw_allocator<Action>>;

// The settings of a case. They don't change while the case runs.
struct Case {
    static inline unsigned lanes = 2, old = 1, limited = 0, patience = 1;
    static inline bool hasFence = true, hasNews = true, isWarm = false, sharesHome = false, isMonitored = false;
    static inline Program threads[mostThreads], within[Channel::mostEntries];
    // How often threads cancel or drain each observer. The last of these actions releases the observer's token. If a
    // call also cancels the observer, the number is 0, and the token is never released.
    static inline unsigned holders[Channel::mostEntries];
};

struct Engine : Posts {
    ProcessFence fence;
    ChannelDirectory directory;
    Moment channelMade[ChannelTable::most];
    Word news;
    rl::atomic<unsigned> tokens[Channel::mostEntries];

    Engine() : Posts(Case::lanes) {}

    unsigned cancelBegan = 0, running[Channel::mostEntries] = {};
    Moment added[Channel::mostEntries], cancelled[Channel::mostEntries], callEnded[Channel::mostEntries][mostThreads];
    Word hasDrained[Channel::mostEntries];
    unsigned senderOf[Channel::mostEntries] = {};
    unsigned addedEntries = 0, cancelledEntries = 0, drainedEntries = 0;
    // Whether the channel has begun to finish, whether a wait for its end is over, and whether the center has
    // finished. `finished` contains the moment at which `finish` returned on each thread.
    bool finishBegan = false, hasEnded = false, isShut = false;
    Moment finished[mostThreads];

    void before() {
        lanes.patience = Case::patience;
        for (unsigned number = 0; number < Case::old + Case::limited; number++) add(number < Case::old ? 0 : 1, false);
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++)
            tokens[entry].store(Case::holders[entry], rl::mo_relaxed, $);
        if (Case::isMonitored) channel.setMonitored(true);
        if (Case::isWarm) lanes.homes.use(0), lanes.homes.use(1);
        if (Case::sharesHome) lanes.homes.owned.store((1u << Case::lanes) - 1, ORDER("initial", relaxed));
    }

    // Everything cancelled must be freed, and nothing else. No lane may still be taken, and no chunk may still request
    // reports from posts.
    void after() {
        for (unsigned index = 0; index < lanes.capacity; index++)
            claim(lanes.lanes[index].occupant.newest() == 0, "a lane is taken forever");
        claim(channel.hasDepartures.newest() == 0, "a post that departed is overlooked");
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++) {
            if (!(addedEntries >> entry & 1)) continue;
            bool isCancelled = finishBegan || cancelledEntries >> entry & 1;
            Chunk &chunk = chunks.all[Chunks::of(entry) - 1];
            claim(chunk.slots[Chunks::index(entry)].closure.context.isThere() == !isCancelled,
                isCancelled ? "a closure that was cancelled is never freed" : "a closure that was not cancelled is freed");
        }
        for (unsigned pointer = 1; pointer <= chunks.made; pointer++) {
            Chunk &chunk = chunks.all[pointer - 1];
            unsigned held = 0, unused = 0;
            for (unsigned index = 0; index < Chunk::capacity; index++) {
                unsigned entry = (pointer - 1) * Chunk::capacity + index;
                bool isAdded = addedEntries >> entry & 1;
                unused += !isAdded;
                held += isAdded && (Case::holders[entry] == 0 || tokens[entry].debug_value() != 0);
            }
            // A roster keeps its last chunk, and all chunks with live entries.
            bool isLast = pointer == channel.everyone.tail && !finishBegan;
            for (SenderRoster &roster : channel.rosters) isLast |= roster.memory.isThere() && pointer == roster.roster.tail;
            bool isKept = isLast || (chunk.live.newest() & ~Chunk::drainBit);
            unsigned references = held + (isKept ? 1 + unused : 0);
            claim(chunk.references.newest() == references, "a chunk counts its references incorrectly");
            claim(chunk.memory.isThere() == (references > 0), "a chunk is not freed");
            if (chunk.memory.isThere()) claim(!(chunk.live.newest() & Chunk::drainBit), "a drain's request for reports is never withdrawn");
        }
        for (unsigned list = 1; list < channel.madeMonitors; list++) {
            bool isCurrent = channel.monitors.newest() == list;
            claim(channel.monitorLists[list].memory.isThere() == isCurrent, "a list of monitors that was replaced is never freed");
        }
        if (finishBegan) claim(channel.finish.phase == ChannelFinish::ended, "a channel never comes to its end");
        for (unsigned number = 0; isShut && number < directory.made; number++)
            claim(directory.channels[number].hasFinished, "a channel has not finished, although its center has");
    }

    // MARK: Threads

    void thread(unsigned index) {
        fence.enter();
        for (Action action : Case::threads[index]) perform(action);
        lanes.threadEnds();
    }

    void perform(Action action) {
        switch (action.kind) {
        case Action::post: return hear(), post(action.entry, 0);
        case Action::add: return add(action.entry, false), tell();
        case Action::watch: return add(action.entry, true), tell();
        case Action::cancel: cancel(action.entry); return letGo(action.entry), tell();
        case Action::drain: cancel(action.entry); drain(action.entry); return letGo(action.entry), tell();
        case Action::wait: return waitForDrain(action.entry);
        case Action::end: return lanes.threadEnds();
        case Action::make: return directory.makeChannel(action.entry), channelMade[action.entry].set(), tell();
        case Action::look: return hear(), look(action.entry);
        case Action::finish: return finish(), tell();
        case Action::monitor: return channel.setMonitored(action.entry);
        case Action::shut: return directory.finish(), isShut = true, tell();
        }
    }
    void hear() {
        if (Case::hasNews) news.load(ORDER("news", acquiring));
    }
    void tell() {
        if (Case::hasNews) news.wrappingAdd(1, ORDER("news", releasing));
    }

    void add(unsigned sender, bool isWatched) {
        bool isLate = hasFinished();
        unsigned entry = sender ? channel.add(sender, isWatched) : channel.Channel::add(channel.everyone);
        if (entry == Channel::refused) {
            entry = channel.refuse();
            return addedEntries |= 1u << entry, cancelledEntries |= 1u << entry, void();
        }
        claim(!isLate, "an observer is added to a channel that had finished");
        claim(entry < Channel::mostEntries, "the case has more entries than the model");
        senderOf[entry] = sender;
        added[entry].set();
        addedEntries |= 1u << entry;
    }
    void cancel(unsigned entry) {
        cancelBegan |= 1u << entry;
        channel.cancel(entry, channel.rosterOf(entry));
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

    // Whether the return of `finish` happens before the current step of this thread.
    bool hasFinished() {
        bool has = false;
        for (Moment const &moment : finished) has |= moment.isBeforeNow();
        return has;
    }
    unsigned beginToFinish() {
        finishBegan = true;
        unsigned number = channel.finishChannel();
        finished[thisThread()].set();
        return number;
    }
    void finish() {
        channel.waitUntilLeft(beginToFinish());
        hasEnded = true;
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++) {
            claim(running[entry] == 0, "a channel has come to its end while a call was running");
            for (Moment const &end : callEnded[entry])
                claim(!end.isSetAtAll() || end.isBeforeNow(), "a thread that waits for the end of a channel does not see what a call wrote");
        }
    }

    void look(unsigned type) {
        bool isThere = channelMade[type].isBeforeNow();
        claim(directory.channel(type) != 0 || !isThere, "a channel is lost");
    }

    // MARK: Posts

    void post(unsigned sender, unsigned depth) {
        Expected expected;
        expected.hasFinished = hasFinished();
        for (unsigned entry = 0; entry < Channel::mostEntries; entry++) {
            bool isMeant = !senderOf[entry] || senderOf[entry] == sender;
            if (isMeant && added[entry].isBeforeNow() && !(cancelBegan >> entry & 1)) expected.must |= 1u << entry;
            if (!isMeant || cancelled[entry].isBeforeNow()) expected.mustNot |= 1u << entry;
        }
        Posts::post(sender, expected, depth);
        // A post that races with the end of the channel calls all observers or none.
        if (finishBegan && expected.called == 0) return;
        claim((expected.must & ~expected.called & ~cancelBegan) == 0,
            finishBegan ? "a post that races with the end of a channel calls some and not all" : "an observer is lost");
    }

    void run(unsigned entry, Closure &closure, Expected &expected, unsigned depth) override {
        unsigned bit = 1u << entry;
        closure.context.use();
        claim(!expected.hasFinished, "a post that began after the channel had finished calls an observer");
        claim(!hasEnded, "an observer is called after its channel has come to its end");
        claim(senderOf[entry] == 0 || !(expected.mustNot & bit) || cancelled[entry].isBeforeNow(),
            "an observer is called for another sender");
        claim(!(expected.mustNot & bit), "an observer is called by a post that began after its cancel");
        claim(!cancelled[entry].isBeforeNow(), "a thread calls an observer that it knows to be cancelled");
        claim(!(drainedEntries & bit), "an observer is called after its drain");
        claim(!(expected.called & bit), "an observer is called twice");
        expected.called |= bit;
        running[entry]++;
        if (depth == 0)
            for (Action action : Case::within[entry]) runWithin(action, depth);
        // The end of the call is a separate step.
        rl::ctx().sched();
        closure.context.use();
        running[entry]--;
        callEnded[entry][thisThread()].set();
    }
    void runWithin(Action action, unsigned depth) {
        if (action.kind == Action::post) return post(action.entry, depth + 1);
        if (action.kind == Action::wait) return waitForDrain(action.entry);
        // The end of the channel waits for this call, so the call must not wait for the end.
        if (action.kind == Action::finish) return beginToFinish(), void();
        claim(action.kind == Action::cancel, "a call posts, cancels, finishes or waits for a drain");
        cancel(action.entry);
    }
};
