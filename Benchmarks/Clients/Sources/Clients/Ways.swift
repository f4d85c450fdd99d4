import Tidings
import Wrappers

/// A way to post notifications or to add observers. `go` posts, or adds and cancels an observer, `count` times. The
/// benchmark calls `go` through this protocol, like programs that hide their events behind a protocol.
protocol Way: Sendable {
    init(_ center: NativeNotificationCenter)
    func go(_ count: Int, _ position: Position)
}

struct PostDirectly: Way {
    let center: NativeNotificationCenter

    init(_ center: NativeNotificationCenter) { self.center = center }

    func go(_ count: Int, _ position: Position) {
        for _ in 0..<count { center.post(Moved(position: position)) }
    }
}

struct PostThroughFunction: Way {
    let center: NativeNotificationCenter

    init(_ center: NativeNotificationCenter) { self.center = center }

    func go(_ count: Int, _ position: Position) {
        for _ in 0..<count { send(Moved(position: position), to: center) }
    }
}

struct PostThroughExistential: Way {
    let center: any TypedNotificationCenter

    init(_ center: NativeNotificationCenter) { self.center = center }

    func go(_ count: Int, _ position: Position) {
        for _ in 0..<count { sendAnywhere(Moved(position: position), to: center) }
    }
}

struct ObserveDirectly: Way {
    let center: NativeNotificationCenter

    init(_ center: NativeNotificationCenter) { self.center = center }

    func go(_ count: Int, _ position: Position) {
        for _ in 0..<count { center.addObserver(for: Moved.self) { consume($0.position) }.cancel() }
    }
}

struct ObserveThroughFunction: Way {
    let center: NativeNotificationCenter

    init(_ center: NativeNotificationCenter) { self.center = center }

    func go(_ count: Int, _ position: Position) {
        for _ in 0..<count { watch(Moved.self, in: center) { consume($0.position) }.cancel() }
    }
}

struct ObserveThroughExistential: Way {
    let center: any TypedNotificationCenter

    init(_ center: NativeNotificationCenter) { self.center = center }

    func go(_ count: Int, _ position: Position) {
        for _ in 0..<count { watchAnywhere(Moved.self, in: center) { consume($0.position) }.cancel() }
    }
}
