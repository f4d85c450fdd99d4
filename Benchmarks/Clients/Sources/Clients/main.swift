import Tidings

// `clients` prints the cost of each way to post or observe, in nanoseconds and as a multiple of the cost of `post`.
// `clients WAY COUNT` runs only one way, with one observer, so that a tool can count its instructions.

let ways: [(name: String, way: any Way.Type)] = [
    ("post", PostDirectly.self), ("post-function", PostThroughFunction.self),
    ("post-existential", PostThroughExistential.self), ("observe", ObserveDirectly.self),
    ("observe-function", ObserveThroughFunction.self), ("observe-existential", ObserveThroughExistential.self),
]

/// Measures `body` fifteen times, and returns the shortest time in nanoseconds, divided by `count`.
func least(_ count: Int, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    let samples = (0..<15).map { _ in clock.measure(body) / .nanoseconds(count) }
    return samples.min() ?? 0
}

@inline(never)
func measure(_ way: any Way.Type, observers: Int, _ count: Int, samples: Bool) -> Double {
    let center = NativeNotificationCenter()
    let tokens = (0..<observers).map { _ in center.addObserver(for: Moved.self) { consume($0.position) } }
    defer { withExtendedLifetime(tokens) {} }
    let made = way.init(center)
    if samples { return least(count) { made.go(count, Position(x: 1, y: 2)) } }
    made.go(count, Position(x: 1, y: 2))
    return 0
}

/// Posts `count` notifications on the main actor. This nonisolated function enters the actor only once, before the
/// loop.
@inline(never)
func showRepeatedly(_ center: NativeNotificationCenter, _ count: Int) {
    MainActor.assumeIsolated { for _ in 0..<count { center.post(Shown(position: Position(x: 1, y: 2))) } }
}

let arguments = CommandLine.arguments
if arguments.count == 3, let count = Int(arguments[2]) {
    for (name, way) in ways where name == arguments[1] { _ = measure(way, observers: 1, count, samples: false) }
    if arguments[1] == "post-main-actor" {
        let center = NativeNotificationCenter()
        let token = center.addObserver(for: Shown.self) { consume($0.position) }
        showRepeatedly(center, count)
        withExtendedLifetime(token) {}
    }
} else {
    for observers in [1, 10] {
        var plain = 0.0
        for (name, way) in ways {
            let cost = measure(way, observers: observers, 1_000_000 / observers, samples: true)
            if name == "post" { plain = cost }
            print("k=\(observers) \(name): \(cost) ns, \(cost / plain)")
        }
        let center = NativeNotificationCenter()
        let tokens = (0..<observers).map { _ in center.addObserver(for: Shown.self) { consume($0.position) } }
        let cost = least(200_000) { showRepeatedly(center, 200_000) }
        print("k=\(observers) post-main-actor: \(cost) ns, \(cost / plain)")
        withExtendedLifetime(tokens) {}
    }
}
