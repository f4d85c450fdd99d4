import Tidings

/// Two observers of a type, which are registered before the race begins. They end when this object is released, after
/// the race. Every post has to reach both, in the order of their registration.
final class SteadyPair: Sendable {
    private let tokens: [NotificationToken]
    private let calls: Calls

    private final class Calls: Sendable {
        let count = Atomic(0)
        /// The latest number posted by each thread.
        let serials = Lock<[Int: Int]>([:])
    }

    var callCount: Int { calls.count.load(ordering: .relaxed) }

    init(in race: Race, of tag: any ShotTag.Type) {
        calls = Calls()
        tokens = Self.observe(tag, in: race, calls)
    }

    private static func observe<Tag: ShotTag>(_ tag: Tag.Type, in race: Race, _ calls: Calls) -> [NotificationToken] {
        let referee = race.referee
        let first = race.center.addObserver(for: Shot<Tag>.self) { shot in
            let last = calls.serials.withLock { $0.updateValue(shot.serial, forKey: shot.thread) }
            referee.countCall()
            calls.count.wrappingAdd(1, ordering: .relaxed)
            referee.expect(last ?? 0 < shot.serial, "a post was seen twice, or after a later one of the same thread")
        }
        let second = race.center.addObserver(for: Shot<Tag>.self) { shot in
            referee.countCall()
            calls.count.wrappingAdd(1, ordering: .relaxed)
            let last = calls.serials.withLock { $0[shot.thread] }
            referee.expect(last == shot.serial, "the second observer was called before the first one")
        }
        return [first, second]
    }
}
