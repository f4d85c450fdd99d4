@testable import TidingsInspector

extension Snapshot {
    /// A snapshot in which every key occurs.
    static let example = Snapshot(
        sequence: 12, time: 1_767_225_612.5, program: Program(name: "shop", process: 4711, started: 1_767_225_600),
        tier: .follow, tierEnds: 288.5, viewers: 1, lost: 2,
        totals: Totals(
            posts: 1200, deliveries: 2400, drops: 3, postsPerSecond: 100, deliveriesPerSecond: 200, dropsPerSecond: 0.5,
            types: 2, observers: 3, waiting: 1207, running: 1),
        types: [
            NotificationType(
                name: "Shop.CartChanged", center: "shop", posts: 1200, deliveries: 2400, drops: 3, postsPerSecond: 100,
                deliveriesPerSecond: 200, dropsPerSecond: 0.5, observers: 2, waiting: 1200, postTimes: .example,
                callTimes: .example, waitTimes: .example),
            NotificationType(
                name: "Shop.AppMessage", center: "messages", posts: 40, deliveries: 40, drops: 0, observers: 1,
                waiting: 7),
        ],
        observers: [
            Observer(
                id: "2a", center: "shop", type: "Shop.CartChanged", place: "Shop/Projection.swift:12",
                delivery: "in an actor", owner: "Shop.Projection at 0x7f04a8003c10",
                sender: "Shop.Cart at 0x7f04a8001e20",
                since: 1_767_225_600.25, seen: 1_767_225_601, waiting: 1200, growth: 88.5, dropped: 3,
                droppedPerSecond: 0.5, running: true, callTimes: .example, waitTimes: .example),
            Observer(
                id: "2b", center: "shop", type: "Shop.CartChanged", place: "Shop/Badge.swift:30",
                delivery: "in the post", seen: 1_767_225_601, waiting: 0, dropped: 0, running: false),
            Observer(
                id: "2c", center: "messages", type: "Shop.AppMessage", place: "Shop/Tracker.swift:8",
                delivery: "in an actor", owner: "Shop.Tracker at 0x7f04a8004f00", since: 1_767_225_600.5,
                seen: 1_767_225_601, waiting: 7, growth: -2, dropped: 0, droppedPerSecond: 0, running: false),
        ],
        ended: [
            EndedObserver(
                id: "19", center: "shop", type: "Shop.CartChanged", place: "Shop/Banner.swift:17",
                delivery: "on the main actor", reason: "token released", time: 1_767_225_604)
        ],
        buses: [Bus(name: "messages", messages: "Shop.AppMessage", consumers: 1, running: 0, waiting: 7)],
        warnings: [
            Warning(
                id: 2, kind: .longQueue,
                text: "1200 notifications wait for an observer: Shop.CartChanged, in an actor, registered at "
                    + "Shop/Projection.swift:12",
                center: "shop", observer: "2a", place: "Shop/Projection.swift:12", since: 1_767_225_610, count: 1),
            Warning(
                id: 1, kind: .drops,
                text: "3 notifications were dropped: Shop.CartChanged, in an actor, registered at "
                    + "Shop/Projection.swift:12",
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
                        time: 1_767_225_612.001, duration: 0.000_002),
                    Delivery(
                        id: "1f.2", observer: "2a", place: "Shop/Projection.swift:12", delivery: "in an actor",
                        context: "Shop.Projection at 0x7f04a8003c10", inPost: false, time: 1_767_225_612.003,
                        waited: 0.002, duration: 0.0015),
                ], omitted: 0),
        ],
        omitted: Omitted(types: 0, observers: 1, posts: 5))
}

extension Snapshot.Times {
    /// Durations that a computer measures.
    static let example = Self(
        count: 100, mean: 0.000_25, longest: 0.002, median: 0.000_2, percentile90: 0.000_5, percentile99: 0.001)
}
