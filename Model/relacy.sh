# The cases of the model in C++, which relacy checks. Sourced by Model/check, which also sources jobs.sh for `start`.
# relacy/engine.cpp describes the parts of a case.

# relacy_build: builds the program once.
relacy_build() {
    # Without warnings, because newer compilers warn about relacy's code.
    g++ -std=c++17 -O2 -w -o "$engine" "$models/relacy/engine.cpp"
}

# keeps SEARCH CASE...: no schedule breaks a claim.
keeps() {
    local began=$SECONDS said
    if ! said=$("$engine" "$@"); then
        printf '%s: %s\n' "$*" "$said"
        echo "engine $* trace=1 would print the steps."
        exit 1
    fi
    printf '%-102s %s %4d s\n' "$*" "$said" $((SECONDS - began))
}

# breaks WORDS PLANTED SEARCH CASE...: a planted mistake (mistake=...) or a weaker order (step=...:...) is found, and reported with these words.
breaks() {
    local words=$1 planted=$2 search=$3 said
    shift 3
    if said=$("$engine" "$search" "$planted" "$@") || ! grep -Fq "$words" <<<"$said"; then
        printf '%s %s %s: not found: %s\n%s\n' "$planted" "$search" "$*" "$words" "$said"
        exit 1
    fi
    printf '%-102s %s\n' "$planted" "${said#found in }"
}

# Checks every schedule (full), schedules with a limited number of switches from threads that could have continued (bound), and random schedules.
relacy_small() {
    start keeps full news=0 make1 look1
    start keeps bound:3 old=1 news=0 post cancel0
    start keeps bound:3 foreign-lock=1 news=0 post cancel0
    start keeps bound:2 chunk=2 old=2 in-call:1=wait0 news=0 post drain0
    start keeps bound:2 old=1 limited=1 news=0 post1 cancel1
    start keeps bound:2 kernel=1 old=2 news=0 cancel0 cancel1
    start keeps random:100000 old=2 post,post post,post cancel0,cancel1 cancel1,add
    start keeps random:100000 old=2 chunk=1 post,post post cancel0,cancel1 add,add
    start keeps random:100000 old=2 chunk=2 in-call:1=wait0 post,post post,post drain0 drain0
    start keeps random:100000 old=2 chunk=1 lanes=1 in-call:0=post post post,post cancel0,add cancel1
    start keeps random:100000 old=3 chunk=1 in-call:0=cancel1 post,end,post post,post cancel0,cancel2 add
    start keeps random:100000 old=1 limited=2 chunk=1 post1,post2 post1,post cancel1,add2 cancel2,cancel0,add1
    start keeps random:100000 old=1 limited=1 post1,post post2 watch1,watch2 cancel1,watch1
    start keeps random:100000 old=2 foreign-lock=1 post,post post cancel0 cancel1
    start keeps random:100000 old=2 kernel=1 post,post post cancel0 cancel1
    start keeps random:100000 old=2 fence=0 post,post post drain0 drain1
    start keeps random:100000 old=1 chunk=1 post,post add,cancel0 drain0
    start keeps random:100000 old=0 limited=1 post1,post drain0 add
    start keeps random:100000 make1,make2 make2,make3 look1,look2,look3 look3,look2,look1
    # The end of a channel.
    start keeps bound:3 old=1 news=0 post finish
    start keeps bound:2 old=1 limited=1 news=0 post1 finish
    start keeps bound:2 old=0 limited=1 news=0 post1 finish
    start keeps random:100000 old=2 chunk=2 post,post post,add finish,post cancel0,finish
    start keeps random:100000 old=1 limited=2 chunk=1 post1,post2 post1,post finish,add2 cancel1,add1
    start keeps random:100000 old=0 limited=2 post1,post1 post1,watch2 finish cancel1
    start keeps random:100000 old=1 limited=1 lanes=1 in-call:0=post1 post1 post1,post finish
    start keeps random:100000 old=2 in-call:0=finish post post,post finish cancel1
    start keeps random:100000 chunk=2 old=2 in-call:1=wait0 post,post post drain0 finish
    start keeps random:100000 old=2 fence=0 post,post post drain0 finish
    start keeps random:100000 old=2 foreign-lock=1 post,post post finish cancel1
    # Monitors that are attached and detached, the end of a monitored channel, and a center that finishes.
    start keeps random:100000 old=1 limited=1 post1,post post monitor1,monitor0 monitor1
    start keeps random:100000 old=1 limited=1 monitored=1 post1,post post1 finish monitor0
    start keeps bound:2 old=1 limited=1 monitored=1 news=0 post1 finish
    start keeps random:100000 make1,make2 make2,make3 look1,look2,look3 shut
}

# keepsFor CASE...: as many random schedules as the time permits, different from those of the small cases.
keepsFor() {
    local began=$SECONDS said first=1
    while [ $((SECONDS - began)) -lt "$seconds" ]; do
        first=$((first + 100000))
        if ! said=$("$engine" random:100000@$first "$@"); then
            printf 'random:100000@%d %s: %s\n' $first "$*" "$said"
            exit 1
        fi
    done
    printf '%-102s %d schedules %4d s\n' "random $*" $((first - 1)) $((SECONDS - began))
}

# Larger cases: with more switches than the small cases, and random schedules for the given time.
relacy_long() {
    start keeps bound:4 old=1 news=0 post cancel0
    start keeps bound:2 old=1 news=0 post post cancel0
    start keeps bound:3 chunk=2 old=2 in-call:1=wait0 news=0 post drain0
    start keeps bound:3 old=1 limited=1 news=0 post1 cancel1
    start keeps bound:3 old=0 limited=1 news=0 post1 finish
    start keeps bound:3 old=1 limited=1 news=0 post1 finish
    start keeps bound:2 old=1 news=0 post post finish
    start keeps bound:3 old=1 limited=1 monitored=1 news=0 post1 finish
    start keepsFor old=2 post,post post,post cancel0,cancel1 cancel1,add
    start keepsFor old=2 chunk=1 post,post post cancel0,cancel1 add,add
    start keepsFor old=2 chunk=2 in-call:1=wait0 post,post post,post drain0 drain0
    start keepsFor old=3 chunk=2 in-call:2=wait0 post,post post drain0 drain1
    start keepsFor old=2 chunk=1 lanes=1 in-call:0=post post post,post cancel0,add cancel1
    start keepsFor old=3 chunk=1 in-call:0=cancel1 post,end,post post,post cancel0,cancel2 add
    start keepsFor old=1 shared-home=1 post,post post,post post cancel0,add
    start keepsFor old=1 limited=2 chunk=1 post1,post2 post1,post cancel1,add2 cancel2,cancel0,add1
    start keepsFor old=1 limited=1 post1,post post2 watch1,watch2 cancel1,watch1
    start keepsFor old=2 foreign-lock=1 post,post post cancel0 cancel1
    start keepsFor old=2 kernel=1 post,post post cancel0 cancel1
    start keepsFor old=2 fence=0 post,post post drain0 drain1
    start keepsFor old=2 chunk=2 post,post post,add finish,post cancel0,finish
    start keepsFor old=1 limited=2 chunk=1 post1,post2 post1,post finish,add2 cancel1,add1
    start keepsFor old=1 limited=1 lanes=1 in-call:0=post1 post1 post1,post finish
    start keepsFor old=2 in-call:0=finish post post,post finish cancel1
    start keepsFor old=2 chunk=2 in-call:1=wait0 post,post post drain0 finish
    start keepsFor old=1 limited=1 monitored=1 post1,post post1 finish monitor0
}

# The mistakes of the Promela models, by their names in this model, and some more.
relacy_planted() {
    local m=mistake
    start breaks 'an observer is lost' "$m=a dead last chunk is unlinked before its successor is linked" \
        random:100000 old=1 chunk=1 post,post cancel0,add
    start breaks 'that it knows to be cancelled' "$m=a post does not check again whether an entry is live" \
        random:1000 chunk=2 old=2 in-call:0=cancel1 post
    start breaks 'that it knows to be cancelled' "$m=a post to a single observer does not check again whether it is live" \
        bound:2 news=0 post drain0
    start breaks 'DEADLOCK' "$m=a post that finds its single observer cancelled still announces it" \
        random:100000 old=0 limited=1 post1,post drain0 add
    start breaks 'is never freed' "$m=leaves without checking the mark" random:10000 post cancel0
    start breaks 'is taken forever' "$m=the flag of departures is cleared after the scan of the lanes" \
        random:1000000 old=2 post post cancel0 cancel1
    start breaks 'closure' "$m=removed memory is freed although the wait was given up" random:10000 post cancel0
    start breaks 'closure' "$m=the wait does not check the last lane" random:10000 post post cancel0
    start breaks 'closure' "$m=takes a mark for the end of a post" random:100000 old=2 post cancel0 cancel1
    start breaks 'closure' "$m=the wait comes before the entry is ended" random:10000 post cancel0
    start breaks 'a chunk' "$m=memory that waits for posts keeps no reference to its chunk" random:100000 old=3 chunk=2 post cancel0 cancel1
    start breaks 'a drain returned' "$m=a drain makes no fence" random:100000 post drain0
    start breaks 'DEADLOCK' "$m=when a drain ends, posts briefly do not report for another drain" \
        random:1000000 chunk=3 old=3 in-call:2=wait0 post drain0 drain1
    start breaks 'DEADLOCK' "$m=a post checks whether to report a call before it announces the next one" \
        bound:2 chunk=2 old=2 in-call:1=wait0 post drain0
    start breaks 'DEADLOCK' "$m=a drain requests reports only after its fence" random:100000 chunk=2 old=2 in-call:1=wait0 post drain0
    start breaks 'DEADLOCK' "$m=without a fence, a drain does not search again after marking the lanes" \
        random:100000 fence=0 post drain0 drain0
    start breaks 'is never freed' "$m=a marked post leaves without reporting" random:10000 fence=0 post,post drain0
    start breaks 'DEADLOCK' "$m=an unlock wakes no thread" random:10000 kernel=1 old=2 cancel0 cancel1
    start breaks 'DEADLOCK' "$m=a thread that waited takes the lock as if no other thread waited" \
        random:100000 kernel=1 old=3 cancel0 cancel1 cancel2
    start breaks 'is taken forever' "$m=no fence between the unlock and the flag of departures" \
        random:10000 foreign-lock=1 post cancel0
    start breaks 'is taken forever' "$m=no fence between the flag of departures and a check that finds the lock held" \
        random:10000 foreign-lock=1 post cancel0
    start breaks 'is taken forever' "$m=no fence between the unlock and the next check of the flag" \
        random:100000 foreign-lock=1 post post cancel0 cancel0
    # The end of a channel.
    start breaks 'what a call wrote' "$m=a hidden roster keeps its number of entries" random:100000 limited=1 old=0 post1,post1 finish
    start breaks 'what a call wrote' "$m=a hidden roster keeps its head until its chunks are freed" random:100000 post,post finish
    start breaks 'some and not all' "$m=a hidden roster shows its number of entries before its head is removed" \
        bound:3 monitored=1 limited=1 news=0 post1 finish
    start breaks 'some and not all' "$m=when a channel has finished, no entry seems to be limited to no sender" \
        random:100000 limited=1 post1,post1 finish
    start breaks 'some and not all' "$m=a merged post does not check whether the channel has finished" \
        random:10000 limited=1 post1,post1 finish
    start breaks 'what a call wrote' "$m=a post to one sender does not check for new observers of every sender" \
        random:100000 limited=1 old=0 post1,post1 post1 finish
    start breaks 'some and not all' "$m=a post without a lane does not check whether the channel has finished" \
        random:10000 lanes=1 limited=1 post1,post1 post1,post1 finish
    start breaks 'some and not all' "$m=the entries end although a post without a lane is in progress" \
        random:100000 lanes=1 old=2 post,post post,post finish
    start breaks 'a chunk' "$m=a post without a lane ends the entries before the lanes are left" \
        random:100000 lanes=1 old=2 post,post post,post finish
    start breaks 'DEADLOCK' "$m=the last post without a lane does not end the entries" random:100000 lanes=1 post,post post,post finish
    start breaks 'a chunk' "$m=hidden chunks are unlinked when they are dead" random:10000 old=2 post finish
    start breaks 'what a call wrote' "$m=a channel that finishes does not wait for the lanes" bound:2 news=0 post finish
    start breaks 'had finished' "$m=an observer is added to a channel that has finished" random:10000 finish,add
    start breaks 'although its center has' "$m=a center that finishes does not mark channels that are created later" \
        random:10000 make1,make2 shut
}

# Weakens the order of one step at a time, to the strongest order that breaks a claim. README.md has the orders that could be weaker.
relacy_weakened() {
    local s=step one='post cancel0' two='old=2 post post cancel0 cancel1' deep='bound:2 chunk=2 old=2 in-call:1=wait0 news=0 post drain0'
    local list='random:10000 old=1 limited=1 post1,post watch1,watch2,watch2'
    local index='random:100000 old=1 limited=1 post2,post2 add2,cancel1,add3'
    # The claim of a lane and the scans.
    start breaks 'closure' "$s=Lane.claim occupant.compareExchange:acquiringAndReleasing" bound:2 news=0 $one
    start breaks 'closure' "$s=Lane.post occupant.load:acquiring" bound:2 news=0 $one
    start breaks 'a chunk' "$s=Lane.mark occupant.load:acquiring" random:10000 $two
    start breaks 'closure' "$s=Lane.mark occupant.compareExchange:releasing" bound:2 news=0 $one
    start breaks 'closure' "$s=LaneHomes.used everUsed.load:acquiring" random:10000 post $one
    start breaks 'closure' "$s=LaneHomes.use everUsed.bitwiseOr:acquiringAndReleasing" random:10000 $one
    # The loads of a post after its claim, and the stores of a removal.
    start breaks 'a chunk' "$s=TypedChannel.call head.load:acquiring" random:10000 old=2 chunk=1 $one
    start breaks 'closure' "$s=TypedChannel.call live.load 1:acquiring" random:10000 old=2 post cancel1
    start breaks 'a chunk' "$s=TypedChannel.callOnly head.load:acquiring" random:100000 chunk=1 post,post cancel0,add
    start breaks 'closure' "$s=TypedChannel.callOnly live.load 1:acquiring" random:10000 $one
    start breaks 'a chunk' "$s=TypedChannel.call next.load:acquiring" random:10000 old=3 chunk=1 post cancel1
    start breaks 'closure' "$s=Chunk.word live.store:releasing" bound:2 news=0 $one
    start breaks 'a chunk' "$s=Roster.unlink head.store:releasing" random:10000 old=2 chunk=1 $one
    start breaks 'a chunk' "$s=Roster.unlink next.store:releasing" random:10000 old=3 chunk=1 post,post cancel1
    start breaks 'a chunk' "$s=Walk.init head.load:acquiring" random:10000 limited=1 old=1 post1,post1 add2,add1,cancel1
    start breaks 'a chunk' "$s=Walk.leaveChunk next.load:acquiring" random:10000 old=1 limited=3 chunk=1 post1,post1 cancel2 cancel1
    start breaks 'closure' "$s=Walk.enter live.load:acquiring" random:10000 old=1 limited=1 chunk=1 post1,post1 cancel1,add1 cancel0
    start breaks 'a chunk' "$s=Walk.enter next.load:acquiring" bound:2 news=0 old=1 limited=1 chunk=1 post1 add,add,add,cancel3
    start breaks 'a roster' "$s=SenderTable.roster roster.load:acquiring" random:10000 limited=1 old=0 post1 cancel0
    start breaks 'a roster' "$s=SenderTable.remove roster.store:releasing" random:10000 limited=1 old=0 post1 cancel0
    start breaks 'a roster' "$s=SenderTable.insert roster.store:relaxed" random:10000 limited=1 old=0 post1,post1 cancel0,add1
    start breaks 'an index' "$s=TypedChannel.table senders.load:acquiring" $index
    start breaks 'an index' "$s=Channel.roster senders.store:releasing" $index
    start breaks 'a list' "$s=Channel.endWatchedDead watched.load:acquiring" $list
    start breaks 'a list' "$s=Channel.renewWatched watched.store:releasing" $list
    # The end of a post.
    start breaks 'closure' "$s=Lane.leave occupant.compareExchange:relaxed" random:10000 $one
    start breaks 'taken forever' "$s=Lane.depart occupant.store:releasing" random:10000 $two
    start breaks 'taken forever' "$s=Lane.hasDeparted occupant.load:acquiring" random:10000 $two
    start breaks 'closure' "$s=Lane.clear occupant.store:relaxed" random:100000 $two
    start breaks 'taken forever' "$s=Channel.withState hasDepartures.load:acquiring" random:10000 $one
    start breaks 'taken forever' "$s=Channel.leaveMarked hasDepartures.store:releasing" random:10000 $one
    start breaks 'is overlooked' "$s=Channel.freeDeparted hasDepartures.load:acquiring" random:100000 $two
    start breaks 'taken forever' "$s=LockWord.tryLock word.compareExchange:acquiringAndReleasing" random:10000 $one
    start breaks 'taken forever' "$s=LockWord.unlock word.exchange:acquiringAndReleasing" random:10000 $one
    start breaks 'guards' "$s=LockWord.wait word.exchange:releasing" random:10000 kernel=1 post cancel0 add
    start breaks 'taken forever' "$s=Lock.fence atomicMemoryFence:acquiringAndReleasing" random:10000 foreign-lock=1 $one
    # Drains, references, publication.
    start breaks 'does not see what a call wrote' "$s=Lane.announce announced.store:relaxed" $deep
    start breaks 'does not see what a call wrote' "$s=Lane.numberedCall announced.load:relaxed" $deep
    local churn='random:10000 old=2 chunk=1 post,post cancel0,cancel1 add'
    start breaks 'a chunk' "$s=Chunk.release references.wrappingSubtract:acquiring" $churn
    start breaks 'a chunk' "$s=Chunk.release references.wrappingSubtract:releasing" $churn
    start breaks 'a chunk' "$s=Roster.link next.store:relaxed" $churn
    start breaks 'a watched entry' "$s=WatchList.count counted.load:relaxed" $list
    start breaks 'a watched entry' "$s=WatchList.append counted.store:relaxed" $list
    local tables='random:10000 make1 make2,make3 look1,look2,look3 look3,look2'
    start breaks 'a table' "$s=ChannelDirectory.channel table.load:relaxed" $tables
    start breaks 'a table' "$s=ChannelDirectory.makeChannel table.store:relaxed" $tables
    start breaks 'a channel' "$s=ChannelTable.channel type.load:relaxed" $tables
    start breaks 'a channel' "$s=ChannelTable.insert type.store:relaxed" $tables
    # The end of a channel, and monitors.
    start breaks 'what a call wrote' "$s=Roster.hide board.store:releasing" random:100000 limited=1 old=0 post1,post1 post1 finish
    start breaks 'what a call wrote' "$s=Roster.count board.load:acquiring" random:100000 limited=1 old=0 post1,post1 post1 finish
    start breaks 'some and not all' "$s=Roster.hide head.exchange:acquiringAndReleasing" random:10000 old=2 post,post post finish
    start breaks 'a list of monitors' "$s=CenterChannelHost.monitorsForPost monitors.load:acquiring" \
        random:10000 monitored=1 post post monitor0 finish
    start breaks 'a list of monitors' "$s=CenterChannelHost.replaceMonitors monitors.exchange:acquiringAndReleasing" \
        random:10000 monitored=1 post post monitor0 finish
    # Two stores publish the same object. Either one would be sufficient.
    start breaks 'closure' "$s=Chunk.setLive live.store:relaxed" random:10000 "$s=Roster.publish board.store:relaxed" post add
    start breaks 'closure' "$s=Chunk.setLive live.store:relaxed" random:10000 "$s=Roster.beginning board.load:relaxed" post add
    start breaks 'closure' "$s=Chunk.setLive live.store:relaxed" random:10000 "$s=Roster.count board.load:relaxed" \
        old=0 limited=1 chunk=2 post1,post1 add1
    start breaks 'a chunk' "$s=Roster.link head.store:relaxed" random:10000 "$s=Roster.publish board.store:relaxed" old=0 post add
}
