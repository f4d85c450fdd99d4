import Tidings

/// An asynchronous observer in a race. It checks that its calls don't overlap, that it receives the posts of each
/// thread in order, and that it receives nothing posted after its end.
final class Racer: Sendable {
    let end = Referee.End()
    private let referee: Referee
    private let isBusy = AtomicByte(false)
    private let isDrained = AtomicByte(false)
    private let count = Atomic(0)
    /// The latest number received from each thread.
    private let serials = Lock<[Int: Int]>([:])

    init(_ referee: Referee) { self.referee = referee }

    var calls: Int { count.load(ordering: .acquiring) }

    func begin<Tag: ShotTag>(_ shot: Shot<Tag>) {
        referee.expect(!isBusy.exchange(true, ordering: .acquiringAndReleasing), "an observer overlaps with itself")
        referee.expect(!isDrained.load(ordering: .acquiring), "an observer is called after it was drained")
        referee.expect(!end.isBefore(shot.time), "a post that began after the cancel called the observer")
        let last = serials.withLock { $0.updateValue(shot.serial, forKey: shot.thread) }
        referee.expect(last ?? 0 < shot.serial, "a post was seen twice, or after a later one of the same thread")
        count.wrappingAdd(1, ordering: .releasing)
    }

    func finish() { isBusy.store(false, ordering: .releasing) }

    func noteDrain(by referee: Referee) {
        referee.expect(!isBusy.load(ordering: .acquiring), "a drain has returned while a call is running")
        isDrained.store(true, ordering: .releasing)
    }
}
