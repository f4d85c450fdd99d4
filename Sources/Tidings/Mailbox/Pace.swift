/// How the calls of an observer that may be suspended share turns: by how long they take.
///
/// Whether a call was suspended cannot be seen from outside. So the turn looks at the clock, every few calls. As long as calls are
/// quick, they share a turn: the turn holds a batch that others cannot reach, and keeps an owner alive. Once a few of them take as
/// long as a call that was suspended, each is a turn of its own, until one is quick again. So what a cancel discards may wait for
/// a call that is suspended, and an owner live on, for ``longest`` calls at most.
@usableFromInline
struct Pace: Sendable {
    /// How many calls are made between two looks at the clock, at most: to look takes as long as a call that does nothing.
    @export(implementation) static var longest: Int { 8 }

    /// How long a quick call takes, at most, in the middle of a stretch.
    @export(implementation) static var quick: Duration { .microseconds(2) }

    /// How many calls are made between two looks at the clock; 1 while calls take their time.
    @export(implementation) private(set) var stretch = 1

    /// How many of them are still to be made.
    @export(implementation) private(set) var left = 1

    /// When the first of them began; `nil` if nobody has looked.
    @export(implementation) private(set) var began: SuspendingClock.Instant?

    /// Whether a delivery waits for an element of the batch.
    @export(implementation) var isAwaited = false

    @export(implementation) init() {}

    /// The pace of a turn that follows another one.
    @export(implementation)
    init(like last: Pace, isAwaited: Bool) {
        stretch = last.stretch
        self.isAwaited = isAwaited
    }

    /// Whether calls take their time.
    @export(implementation) var isSlow: Bool { stretch == 1 }

    /// Whether a call is made with no other element in hand, so that each can be discarded meanwhile.
    @export(implementation) var holdsNothing: Bool { isSlow || isAwaited }

    /// Begins a turn.
    @export(implementation)
    mutating func begin(at now: @autoclosure () -> SuspendingClock.Instant = .now) { if isSlow { began = now() } }

    /// Whether the turn goes on after a call. It looks at the clock at the end of a stretch alone.
    @export(implementation)
    mutating func goesOn(at now: @autoclosure () -> SuspendingClock.Instant = .now) -> Bool {
        left -= 1
        return left > 0 || look(at: now())
    }

    /// Looks at the clock: whether the calls of the stretch were quick.
    @usableFromInline
    mutating func look(at now: SuspendingClock.Instant) -> Bool {
        defer { began = now }
        left = stretch
        // The first call of a turn is seldom followed by another one, and so not measured.
        guard let began else { return true }
        guard began.duration(to: now) <= Self.quick * stretch else {
            stretch = 1
            return false
        }
        stretch = min(2 * stretch, Self.longest)
        left = stretch
        return true
    }
}
