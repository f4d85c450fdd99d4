extension Workload {
    static let everydayPost = Workload(
        name: "everyday post", parameterName: "observers", unit: .nanoseconds(per: "post"), statistic: .least
    ) {
        PostingWay.everyday.map(\.timed)
    }

    static let everydayAllocations = Workload(
        name: "everyday post: heap allocations", parameterName: "observers", unit: .allocationsPerPost, count: 100
    ) {
        Machine.watchesHeap ? PostingWay.everyday.map(\.allocating) : []
    }
}

extension PostingWay {
    static let native = [
        plain, owned, fromObject, fromObjectOwned, fromOptional, fromParty, fromActor, fromInteger, fromString, onMain,
    ]

    static let everyday =
        native + [replayed, replayedFromObject, throughFoundation, throughFoundationFromObject]
        + [foundationBlock, foundationOwned, foundationFromObject, foundationOnMain] + openCombine + mutex
}

extension Subject {
    static let owned = Subject.tidings.with("tied to an owner")
    static let fromObject = Subject.tidings.with("limited to an object")
    static let fromObjectOwned = Subject.tidings.with("limited to an object, tied to an owner")
    static let fromOptional = Subject.tidings.with("limited to an optional object")
    static let fromParty = Subject.tidings.with("limited to any P that is an object")
    static let fromActor = Subject.tidings.with("limited to an actor")
    static let fromInteger = Subject.tidings.with("limited to an Int")
    static let fromString = Subject.tidings.with("limited to a String")
    static let onMain = Subject.tidings.with("on the main actor")
    static let replayed = Subject.tidings.with("replayed")
    static let replayedFromObject = replayed.with("limited to an object")
    static let throughFoundation = Subject.tidings.with("through Foundation's center")
    static let throughFoundationFromObject = throughFoundation.with("limited to an object")
    static let foundationFromObject = foundationBlock.with("limited to an object")
}

extension Bar {
    static let everyday: [Bar] =
        [
            Bar("everyday post", 1, .owned, .atMost(2.3), .tidings),
            Bar("everyday post", 1, .fromObject, .atMost(1.5), .tidings),
            Bar("everyday post", 1, .fromObjectOwned, .atMost(3), .tidings),
            Bar("everyday post", 1, .fromOptional, .atMost(1.6), .tidings),
            Bar("everyday post", 1, .fromParty, .atMost(2.8), .tidings),
            Bar("everyday post", 1, .fromActor, .atMost(1.5), .tidings),
            Bar("everyday post", 1, .fromInteger, .atMost(3.6), .tidings, towards: .atMost(2), onAMD: .atMost(3.4)),
            Bar("everyday post", 1, .fromString, .atMost(5.1), .tidings, towards: .atMost(2.7)),
            Bar("everyday post", 1, .onMain, .atMost(2.8), .tidings, onAMD: .atMost(3.5)),
            Bar("everyday post", 1, .throughFoundation, .atMost(1.2), .foundationBlock),
            Bar("everyday post", 1, .throughFoundationFromObject, .atMost(1.2), .foundationFromObject),
            // A post of a replayed type stores the notification under a lock. A notification that refers to its sender
            // weakly takes longer to create, copy and release.
            Bar("everyday post", 1, .replayed, .atMost(4), .tidings),
            Bar("everyday post", 1, .replayedFromObject, .atMost(18), .tidings),
            Bar("everyday post: heap allocations", 1, .replayed, .value(0)),
            Bar("everyday post: heap allocations", 1, .replayedFromObject, .value(0)),
            Bar("add and cancel", 0, .replayed, .atMost(15), .mutexOfSlots),
            // A post checks whether owners are alive: all of them if there are at most sixteen, otherwise four.
            Bar("post from one sender", 1000, .besideOwners, .atMost(1), .besideOwners, at: 10),
        ] + PostingWay.native.map { Bar("everyday post: heap allocations", 1, $0.subject, .value(0)) }
}
