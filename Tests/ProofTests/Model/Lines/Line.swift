import Tidings

/// An asynchronous observer in a ``World``, with the operations that the world performs on it.
protocol Line: AnyObject, Sendable {
    /// Runs the given number of the queued calls.
    func run(_ calls: Int, in world: World) async

    /// Records that the observer was cancelled.
    func noteEnd()
    /// Records that the observer was cancelled and drained.
    func noteDrain()
    /// Releases what still retains the observer after the release of its token, or records that the observer has ended.
    func letGo()
    func letGoOfActor(in world: World) async
    /// Releases the observer's objects, and lets a suspended call return.
    func end()

    /// The number of dropped notifications, or `nil` if the number can no longer be read.
    func droppedCount(_ token: NotificationToken?) -> Int?
    /// Returns a description of a violation that was observed, or `nil`.
    func violation(of expected: [Int]) -> String?
    /// Waits for all calls that the observer has to receive.
    func settle(_ number: Int, in world: World, beside model: ReferenceModel) async
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
