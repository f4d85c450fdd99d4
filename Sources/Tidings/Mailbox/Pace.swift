import TidingsEngine

/// Decides how many calls share a turn, depending on how long they take. A *turn* is a series of calls. This type is
/// only used if calls can be suspended.
///
/// A turn can't detect whether a call was suspended, so it reads the clock every few calls. Quick calls share a turn.
/// During a shared turn, nothing else can access the batch, and the owner stays alive. Once a few calls take as long as
/// a suspended call, each call gets its own turn, until a call is quick again. So a shared turn delays the release of
/// elements and owners by about ``longest`` calls.
@usableFromInline
struct Pace: Sendable {
    /// The maximum number of calls between two readings of the clock. A reading takes as long as an empty call.
    @export(implementation) static var longest: Int { 8 }

    /// In nanoseconds, like all times of this type.
    private static var quick: Int64 { 2_000 }

    @usableFromInline static var now: Int64 { Moment.now }

    /// The number of calls between two readings of the clock; 1 while calls are slow.
    @export(implementation) private(set) var stretch = 1

    @export(implementation) private(set) var left = 1

    /// The last reading of the clock in the turn; `nil` if there was none.
    @export(implementation) private(set) var began: Int64?

    @export(implementation) var isAwaited = false

    @export(implementation) init() {}

    @export(implementation)
    init(like last: Pace, isAwaited: Bool) {
        stretch = last.stretch
        self.isAwaited = isAwaited
    }

    @export(implementation) var isSlow: Bool { stretch == 1 }

    /// Whether the turn only holds the element of the running call, so that all other elements can be discarded.
    @export(implementation) var holdsNothing: Bool { isSlow || isAwaited }

    @export(implementation)
    mutating func begin(at now: @autoclosure () -> Int64 = Pace.now) { if isSlow { began = now() } }

    @export(implementation)
    mutating func goesOn(at now: @autoclosure () -> Int64 = Pace.now) -> Bool {
        left -= 1
        return left > 0 || look(at: now())
    }

    @usableFromInline
    mutating func look(at now: Int64) -> Bool {
        defer { began = now }
        left = stretch
        // Most turns have a single call, so the first call of a turn isn't measured, unless calls are slow.
        guard let began else { return true }
        guard now - began <= Self.quick * Int64(stretch) else {
            stretch = 1
            return false
        }
        stretch = min(2 * stretch, Self.longest)
        left = stretch
        return true
    }
}
