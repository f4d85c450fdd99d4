import Tidings

struct Position: Sendable {
    let x: Int
    let y: Int
}

struct Moved: TypedNotification {
    let position: Position
}

struct Shown: MainActorNotification {
    let position: Position
}

nonisolated(unsafe) private var sum = 0  // only used on the main thread

@inline(never)
func consume(_ position: Position) { sum &+= position.x }
