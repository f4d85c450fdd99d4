import Tidings

/// An asynchronous observer in a world, and how it is made to run.
protocol Line: AnyObject, Sendable {
    /// Has so many calls made, of those that are queued.
    func run(_ calls: Int, in world: World) async

    /// Notes that the observer was cancelled.
    func noteEnd()
    /// Notes that the observer was cancelled and drained.
    func noteDrain()
    /// Lets go of what holds the observer beside its token, which was let go.
    func letGo()
    /// Lets go of the observer's actor.
    func letGoOfActor(in world: World) async
    /// Lets go of everything.
    func end()

    /// How many notifications were dropped, if there is somebody who knows.
    func droppedCount(_ token: NotificationToken?) -> Int?
    /// What was seen that must not be.
    func violation(of expected: [Int]) -> String?
    /// Waits for everything that the observer is to see.
    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async
    /// Runs what is left to be run.
    func runPending()
}

extension Line {
    func run(_ calls: Int, in world: World) async {}
    func noteEnd() {}
    func noteDrain() {}
    func letGo() {}
    func letGoOfActor(in world: World) async {}
    func end() {}
    func droppedCount(_ token: NotificationToken?) -> Int? { token?.droppedCount }
    func violation(of expected: [Int]) -> String? { nil }
    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async {}
    func runPending() {}
}
