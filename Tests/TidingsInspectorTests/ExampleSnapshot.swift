@testable import TidingsInspector

extension InspectorSnapshot {
    /// A snapshot in which every key occurs.
    static let example = InspectorSnapshot(
        sequence: 12, time: 1_767_225_612.5, program: Program(name: "shop", process: 4711, started: 1_767_225_600),
        tier: .follow, tierEnds: 288.5, viewers: 1, lost: 2,
        totals: Totals(
            posts: 1200, deliveries: 2400, drops: 3, postsPerSecond: 100, deliveriesPerSecond: 200, dropsPerSecond: 0.5,
            types: 2, observers: 3, waiting: 1207, running: 1),
        types: [
            NotificationType(
                name: "Shop.CartChanged", center: "shop", posts: 1200, deliveries: 2400, drops: 3, postsPerSecond: 100,
                deliveriesPerSecond: 200, dropsPerSecond: 0.5, observers: 2, waiting: 1200, unobserved: 4,
                postedAt: "Shop/Cart.swift:44",
                postTimes: .example, callTimes: .example, waitTimes: .example),
            NotificationType(
                name: "Shop.AppMessage", center: "messages", posts: 40, deliveries: 40, drops: 0, observers: 1,
                waiting: 7),
        ],
        observers: [
            Observer(
                id: "2a", center: "shop", type: "Shop.CartChanged", place: "Shop/Projection.swift:12",
                delivery: "in an actor", owner: "Shop.Projection at 0x7f04a8003c10",
                sender: "Shop.Cart at 0x7f04a8001e20", name: "projection", group: "carts",
                since: 1_767_225_600.25, seen: 1_767_225_601, waiting: 1200, growth: 88.5, dropped: 3,
                droppedPerSecond: 0.5, intendsDrops: false, refused: 2, failed: 1, retrying: 5, isNeverCalled: false,
                running: true, runningFor: 72.5, mark: "storing the cart", markedAt: "Shop/Projection.swift:20",
                markedFor: 70, oldestWait: 80, isStuck: true, stuckFor: 72.5, calls: 1200,
                callsPerSecond: 11.5, busy: 0.99, callTimes: .example, waitTimes: .example),
            Observer(
                id: "2b", center: "shop", type: "Shop.CartChanged", place: "Shop/Badge.swift:30",
                delivery: "in the post", seen: 1_767_225_601, waiting: 0, dropped: 0, running: false,
                isStuck: false),
            Observer(
                id: "2c", center: "messages", type: "Shop.AppMessage", place: "Shop/Tracker.swift:8",
                delivery: "in an actor", owner: "Shop.Tracker at 0x7f04a8004f00", since: 1_767_225_600.5,
                seen: 1_767_225_601, waiting: 7, growth: -2, dropped: 0, droppedPerSecond: 0, running: false,
                isStuck: false),
        ],
        groups: [
            Group(
                id: "g1", center: "shop", type: "Shop.CartChanged", place: "Shop/Projection.swift:12",
                delivery: "in an actor", count: 1, growth: 0, isGrowing: false, observer: "2a",
                owner: "Shop.Projection at 0x7f04a8003c10", sender: "Shop.Cart at 0x7f04a8001e20",
                name: "projection", group: "carts",
                since: 1_767_225_600.25, seen: 1_767_225_601, waiting: 1200, waitingGrowth: 88.5, dropped: 3,
                intendsDrops: false, calls: 1200, callsPerSecond: 11.5, refused: 2, failed: 1, retrying: 5,
                neverCalled: 0, running: 1,
                stuck: 1, runningFor: 72.5, oldestWait: 80, stuckFor: 72.5, busy: 0.99, callTimes: .example,
                waitTimes: .example),
            Group(
                id: "g2", center: "shop", type: "Shop.CartChanged", place: "Shop/Badge.swift:30",
                delivery: "in the post", count: 1027, growth: 14, isGrowing: true, seen: 1_767_225_601, waiting: 0,
                dropped: 0, running: 0, stuck: 0),
        ],
        owners: [OwnerType(type: "Projection", count: 1, growth: 0, isGrowing: false)],
        stuck: [
            Observer(
                id: "2a", center: "shop", type: "Shop.CartChanged", place: "Shop/Projection.swift:12",
                delivery: "in an actor", name: "projection", seen: 1_767_225_601, waiting: 1200, dropped: 3,
                running: true, runningFor: 72.5, mark: "storing the cart", markedAt: "Shop/Projection.swift:20",
                markedFor: 70, isStuck: true, stuckFor: 72.5)
        ],
        ended: [
            EndedObserver(
                id: "19", center: "shop", type: "Shop.CartChanged", place: "Shop/Banner.swift:17",
                delivery: "on the main actor", sender: "String", reason: "token released", time: 1_767_225_604)
        ],
        buses: [Bus(name: "messages", messages: "Shop.AppMessage", consumers: 1, running: 0, waiting: 7)],
        relays: [
            Relay(
                name: "shop", connected: true, outgoing: 12, outgoingBytes: 1440,
                routes: [
                    Route(
                        notification: "orders.placed", stream: "ORDERS", group: "printers", waiting: 320, inProgress: 8,
                        redelivered: 2, deadLetters: 1, oldestAge: 95)
                ], error: "no answer within ten seconds")
        ],
        warnings: [
            Warning(
                id: 4, kind: .stuck, severity: .alarm,
                text: "a call of an observer has been running for 73 s, the last 70 s at \"storing the cart\" "
                    + "(Shop/Projection.swift:20): Shop.CartChanged, in an actor, registered at "
                    + "Shop/Projection.swift:12, named \"projection\"",
                center: "shop", observer: "2a", place: "Shop/Projection.swift:12", since: 1_767_225_610, count: 1),
            Warning(
                id: 2, kind: .longQueue, severity: .warning,
                text: "1200 notifications wait for an observer: Shop.CartChanged, in an actor, registered at "
                    + "Shop/Projection.swift:12, named \"projection\"",
                center: "shop", observer: "2a", place: "Shop/Projection.swift:12", since: 1_767_225_610, count: 1),
            Warning(
                id: 3, kind: .growingObservers, severity: .warning,
                text: "1027 observers were registered from one line, 1020 of them in the last 73 s, and none has "
                    + "ended: Shop.CartChanged, in the post, registered at Shop/Badge.swift:30",
                center: "shop", place: "Shop/Badge.swift:30", group: "g2", since: 1_767_225_610, count: 1),
            Warning(
                id: 1, kind: .drops, severity: .warning,
                text: "3 notifications were dropped: Shop.CartChanged, in an actor, registered at "
                    + "Shop/Projection.swift:12, named \"projection\"",
                center: "shop", observer: "2a", place: "Shop/Projection.swift:12", since: 1_767_225_605, count: 2,
                recovered: 1_767_225_608),
        ],
        posts: [
            Post(
                id: "20", cause: "1f.2", type: "Shop.AppMessage", center: "messages", time: 1_767_225_612.004,
                duration: 0.000_004, observers: 1, deliveries: [], omitted: 0),
            Post(
                id: "1f", type: "Shop.CartChanged", center: "shop", place: "Shop/Cart.swift:44",
                time: 1_767_225_612.001, duration: 0.000_25, observers: 2, payload: "3 articles",
                deliveries: [
                    Delivery(
                        id: "1f.1", observer: "2b", place: "Shop/Badge.swift:30", delivery: "in the post", inPost: true,
                        state: .done, time: 1_767_225_612.001, duration: 0.000_002),
                    Delivery(
                        id: "1f.2", observer: "2a", place: "Shop/Projection.swift:12", delivery: "in an actor",
                        context: "Shop.Projection at 0x7f04a8003c10", inPost: false,
                        state: .running, time: 1_767_225_612.003, waited: 0.002, duration: 0.0015),
                    Delivery(
                        id: "1f.3", observer: "2d", place: "Shop/Courier.swift:9", delivery: "in an actor",
                        inPost: false, state: .waiting, ahead: 3, time: 1_767_225_612.001, waited: 0.25),
                ], omitted: 0,
                missed: [
                    Missed(
                        observer: "2c", place: "Shop/Harbour.swift:5", delivery: "in the post", reason: .anotherSender,
                        detail: "String")
                ]),
        ],
        omitted: Omitted(types: 0, observers: 1, posts: 5, causedPosts: 7), followsOnePostIn: 1)
}

extension InspectorSnapshot.Times {
    static let example = Self(
        count: 100, mean: 0.000_25, longest: 0.002, median: 0.000_2, percentile90: 0.000_5, percentile99: 0.001)
}
