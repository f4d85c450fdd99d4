# The cases of the models in Promela. Sourced by Model/check, which defines `start` and `finish`.

# run ERRORS MODEL DEFINES...: writes the report of an exhaustive search to `report`. The search ends after the given number of errors, where 0
# means no limit. It is compiled without optimization, because an optimized compilation takes longer than most searches.
run() {
    local errors=$1 model=$2
    shift 2
    cp "$models"/*.pml .
    spin -a "${@/#/-D}" "$model.pml"
    # Every state is stored completely (COLLAPSE compresses it), so the search is exhaustive or fails.
    gcc "${optimise:--O0}" -w -DSAFETY -DCOLLAPSE -DMEMLIM=8000 -o pan pan.c
    ./pan -m100000 "-c$errors" >report
    if grep -Eq 'max search depth too small|out of memory|search was truncated' report; then
        cat report
        exit 1
    fi
}

states() { sed -n 's/^ *\([0-9e.+]*\) states, stored.*/\1/p' report; }
megabytes() { sed -n 's/^ *\([0-9.]*\).*total actual memory usage.*/\1/p' report; }

# holds MODEL DEFINES...: the claims of the model hold.
holds() {
    local began=$SECONDS
    run 0 "$@"
    if ! grep -q 'errors: 0' report; then
        cat report
        echo "$*: an error, see above. spin -t -p would replay it." >&2
        exit 1
    fi
    printf '%-72s %10s states %6.0f MB %4d s\n' "$*" "$(states)" "$(megabytes)" $((SECONDS - began))
}

# finds ERROR MODEL DEFINES...: spin reports this error for the planted mistake, perhaps among others.
finds() {
    local error=$1
    shift
    run 100 "$@"
    # Searches only the errors, because the report also lists the statements that weren't reached.
    sed -n 's/^pan:[0-9]*: //p' report >errors
    if ! grep -Fq "$error" errors; then
        cat report
        echo "$*: not found: $error" >&2
        exit 1
    fi
    printf '%-72s found: %s\n' "$*" "$(grep -F "$error" errors | sed 's/ (at depth.*//; q')"
}

# samples SEED MODEL DEFINES...: runs a search that stores only hash bits of states (bitstate hashing, with 2 GB and three hash functions), so it
# may mistake a new state for a known one. Its order depends on the seed, as in a swarm. It prints the number of visited states, and the hash
# factor, which is the number of bits for each state. spin regards a hash factor of 100 or more as a coverage of more than 99 % of the reachable
# states, and one below 10 as doubtful.
samples() {
    local seed=$1 model=$2 began=$SECONDS
    shift 2
    cp "$models"/*.pml .
    spin -a "${@/#/-D}" "$model.pml"
    gcc -O2 -w -DSAFETY -DBITSTATE -DP_RAND -DT_RAND -o pan pan.c
    # An interrupt makes pan report its progress.
    timeout --signal=INT "$seconds" ./pan -m1000000 -c1 -w34 -k3 "-RS$seed" >report || true
    if ! grep -q 'errors: 0' report; then
        cat report
        echo "$model $*: an error, see above." >&2
        exit 1
    fi
    printf '%-72s %10s states, %s %4d s\n' "$model $* (seed $seed)" "$(states)" \
        "$(grep -o 'hash factor: [0-9.e+]*' report)$(grep -q 'Search not completed' report && echo ', not completed')" \
        $((SECONDS - began))
}

# Checks a post, a cancel and an add; two posts, in parallel or in turn; two cancels, of the same observer or not; a cancel or a post within a call;
# two drains, with a fence of all processors, with a wait that outlasts the store buffers, and with one that doesn't; a registration of a replayed
# type in parallel with posts, a cancel, the end of the channel and the deallocation of a sender.
spin_small() {
    start holds lanes CAPACITY=1 POSTERS=1 CANCELLERS=1 ADDERS=1 BOTH=1
    start holds lanes CAPACITY=1 POSTERS=1 CANCELLERS=2 ADDERS=0 BOTH=1
    start holds lanes CAPACITY=2 POSTERS=1 CANCELLERS=1 ADDERS=1
    start holds lanes CAPACITY=1 POSTERS=1 CANCELLERS=1 ADDERS=1 AGAIN=1
    start holds lanes CAPACITY=1 POSTERS=2 CANCELLERS=1 ADDERS=0
    start holds lanes CAPACITY=1 POSTERS=1 CANCELLERS=2 ADDERS=0
    start holds lanes CAPACITY=1 POSTERS=2 CANCELLERS=0 ADDERS=0 CANCELS=1
    start holds lanes CAPACITY=1 POSTERS=1 CANCELLERS=1 ADDERS=0 NESTED=1
    start holds drain POSTERS=1 DRAINS=2
    start holds drain POSTERS=1 DRAINS=2 FENCE=0
    start holds drain POSTERS=1 DRAINS=2 FENCE=0 OUTLASTS=0
    start holds drain POSTERS=2 DRAINS=1
    start holds drain POSTERS=2 DRAINS=1 FENCE=0
    start holds replay POSTERS=1 POSTS=2 NESTED=1
    start holds replay POSTERS=2 POSTS=1
    start holds replay POSTERS=1 POSTS=3 WAITS=1
}

# Each model describes the values of PLANTED.
spin_planted() {
    start finds 'closureReferences[entry]>0' lanes PLANTED=1 POSTERS=1 ADDERS=0
    start finds 'chunkReferences[(chunk-1)]>0' lanes PLANTED=2 POSTERS=1 ADDERS=0 CAPACITY=1 FENCED=0
    start finds 'mustCall' lanes PLANTED=3 POSTERS=1 BOTH=1
    start finds 'cancelEndedOn' lanes PLANTED=4 POSTERS=1 CANCELLERS=0 ADDERS=0 CANCELS=1
    start finds 'closureReferences[n]==' lanes PLANTED=5 POSTERS=1 ADDERS=0
    start finds 'closureReferences[n]==' lanes PLANTED=6 POSTERS=2 ADDERS=0
    start finds 'closureReferences[entry]>0' lanes PLANTED=7 POSTERS=1 ADDERS=0
    start finds 'closureReferences[entry]>0' lanes PLANTED=8 POSTERS=1 ADDERS=0
    start finds 'closureReferences[entry]>0' lanes PLANTED=9 POSTERS=1 CANCELLERS=2 ADDERS=0
    start finds 'closureReferences[entry]>0' lanes PLANTED=10 POSTERS=1 ADDERS=0
    start finds 'chunkReferences[(i/2)]>0' lanes PLANTED=11 POSTERS=1 CANCELLERS=2
    start finds 'closureReferences[n]==' lanes PLANTED=12 POSTERS=1 ADDERS=0
    start finds 'closureReferences[n]==' lanes PLANTED=13 POSTERS=2 ADDERS=0
    start finds 'calls[entry]==0' drain PLANTED=1 POSTERS=1 DRAINS=1
    start finds 'invalid end state' drain PLANTED=2 POSTERS=1 DRAINS=2
    start finds 'invalid end state' drain PLANTED=3 POSTERS=1 DRAINS=1
    start finds 'invalid end state' drain PLANTED=4 POSTERS=1 DRAINS=1
    start finds 'invalid end state' drain PLANTED=5 POSTERS=1 DRAINS=1
    start finds 'invalid end state' drain PLANTED=6 POSTERS=1 DRAINS=1
    start finds 'invalid end state' drain PLANTED=7 POSTERS=1 DRAINS=1
    start finds 'calls[number]==1' replay PLANTED=1 POSTERS=1
    start finds 'isHandedOver' replay PLANTED=2 POSTERS=1
    start finds 'calls[number]==1' replay PLANTED=3 POSTERS=1
    start finds 'calls[number]==0' replay PLANTED=4 POSTERS=1
    start finds 'looked' replay PLANTED=5 POSTERS=1
    start finds 'snapshot==count' replay PLANTED=6 POSTERS=1
    start finds 'calls[number]==1' replay PLANTED=7 POSTERS=1
    start finds 'invalid end state' replay PLANTED=8 POSTERS=1 POSTS=3 WAITS=1
    start finds 'last[posterOf[number]]<number' replay PLANTED=9 POSTERS=1
    start finds 'calls[snapshot]==1' replay PLANTED=10 POSTERS=1
    start finds 'reached[number]' replay PLANTED=11 POSTERS=1
    start finds '!(hasEnded)' replay PLANTED=12 POSTERS=1
}

# Checks two posts and two drains completely, and larger registrations of a replayed type. Samples cases that don't fit into memory, such as a cancel
# within a call, and posts that find no lane. Samples two posts and two cancels by a swarm.
spin_long() {
    local seed
    optimise=-O2
    start holds drain POSTERS=2 DRAINS=2
    start holds drain POSTERS=2 DRAINS=2 FENCE=0
    start holds replay POSTERS=2 POSTS=1 NESTED=1 WAITS=1
    start holds replay POSTERS=3 POSTS=1
    start holds replay POSTERS=2 POSTS=2 DIES=0
    start samples 1 drain POSTERS=2 DRAINS=1 FENCE=0 OUTLASTS=0
    start samples 1 lanes CAPACITY=2 POSTERS=2 CANCELLERS=0 ADDERS=1 CANCELS=1
    start samples 1 lanes CAPACITY=2 POSTERS=2 CANCELLERS=1 ADDERS=0 NESTED=1
    start samples 1 lanes CAPACITY=2 POSTERS=2 CANCELLERS=1 ADDERS=1
    start samples 1 lanes CAPACITY=1 POSTERS=1 CANCELLERS=2 ADDERS=1 BOTH=1
    for seed in 1 2 3 4; do
        start samples $seed lanes CAPACITY=1 POSTERS=2 CANCELLERS=2 ADDERS=0
        start samples $seed lanes CAPACITY=2 POSTERS=2 CANCELLERS=2 ADDERS=0 BOTH=1
    done
}
