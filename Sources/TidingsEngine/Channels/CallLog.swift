/// The calls that a post has made and that its host has yet to be told of, on the stack of the thread that posts.
///
/// It is reached by its address only, as a post that is made in a call of the first one may have them told.
@safe
package struct CallLog: ~Copyable {
    struct Record {
        let entry: Entry
        let number: UInt64
        let nanoseconds: Int64
    }

    /// A call that was made, with the details of its entry.
    ///
    /// It retains nothing: the reference count of a tie is a word to which every thread that posts would write. It is four words,
    /// which are handed on in registers.
    @safe
    package struct Call {
        /// The number of the entry, see ``Entry/serial``.
        @usableFromInline package let serial: UInt64
        /// The number of the delivery in its post.
        @usableFromInline package let number: UInt64
        /// How long the call took; -1 if that was not measured, and ``refused`` if the condition of the entry refused the payload.
        @usableFromInline package let nanoseconds: Int64
        /// The details of the entry. Valid until the next call is taken, or the post has ended.
        @usableFromInline package let details: UnsafePointer<EntryDetails>
    }

    /// Some of the calls: which are logged, and which are measured by the continuous clock.
    package enum Selection {
        case none
        /// Those of entries with a certain mode.
        case mode(UInt8)
        case all

        package var isNone: Bool { if case .none = self { true } else { false } }
        package var isAll: Bool { if case .all = self { true } else { false } }

        @inline(__always)
        func contains(_ other: UInt8) -> Bool {
            switch self {
            case .none: false
            case .mode(let mode): mode == other
            case .all: true
            }
        }
    }

    /// What stands for the time of a call that was refused by the condition of its entry.
    package static let refused: Int64 = -2

    /// Whether calls are logged that were refused.
    private var logsRefusals = false

    /// How many calls there is room for.
    private static let room = 32

    private let records: UnsafeMutablePointer<Record>

    /// How many calls were made, and how many of them were told, since the log was last empty.
    private var made = 0
    private var told = 0

    /// When the last call ended; 0 if the next one does not begin then.
    private var last: Int64 = 0

    /// The number of the call under way.
    private var number: UInt64 = 0

    /// When the call under way began; 0 if it is not measured.
    private var callBegan: Int64 = 0

    let host: UnsafeMutableRawPointer
    let tell: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void

    /// What the thread of the post counts deliveries in.
    private let counting: NumberedPost.Counting

    /// Which calls are logged, and which are measured.
    @usableFromInline package private(set) var logging = Selection.none
    private var measuring = Selection.none

    /// Whether every call is logged, and all or none are measured, as for most monitors: then a call is told apart from no other.
    private var isUniform = false
    private var measuresAll = false

    /// Whether the call under way is logged.
    var isLogged = false

    /// Whether the host is told of each call at once.
    var tellsEach = false

    /// The details of the entry that is called, if the post is in no lane, so that they may be gone otherwise. Allocated for the
    /// first call, and freed by `deinit`.
    private var kept: UnsafeMutablePointer<EntryDetails>?
    var isInLane = true

    /// Whether an entry of the channel may have a condition.
    var hasConditions = true

    /// How many entries were called whose condition refused the payload, which does not count.
    var refusals = 0

    /// Whether the entry that is called has a condition.
    private var isConditional = false

    /// Makes an empty log, for as long as a closure takes.
    ///
    /// - Parameters:
    ///   - host: What to hand to `tell`.
    ///   - tell: Tells the host: with `false`, that calls wait, and there is no room for more, or it is told of each; with
    ///     `true`, that a call is about to be made, if it is told of each.
    ///   - body: Makes the post, and returns how many observers were called.
    /// - Returns: What the closure returns.
    package static func with(
        host: UnsafeMutableRawPointer, tell: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void,
        _ body: (UnsafeMutablePointer<CallLog>) -> Int
    ) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: Record.self, capacity: room) { records in
            // The capacity is not 0, so there is an address.
            var log = unsafe CallLog(records.baseAddress.unsafelyUnwrapped, host, tell)
            return unsafe withUnsafeMutablePointer(to: &log) { log in unsafe body(log) }
        }
    }

    private init(
        _ records: UnsafeMutablePointer<Record>, _ host: UnsafeMutableRawPointer,
        _ tell: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void
    ) {
        unsafe self.records = unsafe records
        unsafe self.host = unsafe host
        unsafe self.tell = unsafe tell
        counting = NumberedPost.Counting()
    }

    /// Says which calls are to be logged, before the first one.
    ///
    /// - Parameters:
    ///   - logging: The calls that are logged.
    ///   - measuring: The calls that are measured by the continuous clock.
    ///   - tellsEach: Whether the host is told of each call at once, and before it is made.
    ///   - logsRefusals: Whether calls are logged, too, that are refused by the condition of their entry.
    package mutating func begin(
        logging: Selection, measuring: Selection, tellsEach: Bool, logsRefusals: Bool = false
    ) {
        self.logsRefusals = logsRefusals
        self.logging = logging
        self.measuring = measuring
        self.tellsEach = tellsEach
        measuresAll = measuring.isAll
        isUniform = logging.isAll && (measuresAll || measuring.isNone) && !tellsEach && isInLane
    }

    /// Says when the post begins, if that is measured.
    package mutating func begin(at moment: Int64) { last = moment }

    /// The moment in which the last call ended, if all are measured; else this moment.
    package var end: Int64 { measuresAll && last != 0 ? last : Moment.now }

    /// Whether a call waits to be told.
    package var isWaiting: Bool { told < made }

    /// Takes the next call that waits to be told, during the post; `nil` if there is none, and then the log is empty.
    package mutating func takeNext() -> Call? {
        guard told < made else {
            (made, told) = (0, 0)
            // To tell takes time, which is not that of the next call.
            last = 0
            return nil
        }
        let record = unsafe records[told]
        told += 1
        let chunk = record.entry.chunk
        let index = record.entry.index(in: chunk)
        // If the post is in a lane, it found the entry live there, and has not left it.
        guard let details = unsafe isInLane ? chunk.detailsMemory(index) : kept else {
            preconditionFailure("a call has begun before it is told")
        }
        return unsafe Call(
            serial: chunk.serial(index), number: record.number, nanoseconds: record.nanoseconds, details: details)
    }

    /// Notes that a call begins.
    @inline(__always)
    mutating func callBegins(_ details: @autoclosure () -> EntryDetails) {
        number = counting.beginCall()
        guard _fastPath(isUniform) else {
            if !isInLane { keep(details()) }
            return callBegins(inMode: details().mode)
        }
        isLogged = true
        if measuresAll {
            if last == 0 { last = Moment.now }
            // Kept apart: a post in the call has the calls told that were made before, and forgets when the last one ended.
            callBegan = last
        }
    }

    @inline(never)
    private mutating func callBegins(inMode mode: UInt8) {
        isLogged = logging.contains(mode)
        callBegan = !measuring.contains(mode) ? 0 : last == 0 || !measuresAll ? Moment.now : last
    }

    /// Keeps the details of the entry that is called next.
    @inline(never)
    private mutating func keep(_ details: EntryDetails) {
        if let kept = unsafe kept { return unsafe kept.pointee = details }
        let memory = UnsafeMutablePointer<EntryDetails>.allocate(capacity: 1)
        unsafe memory.initialize(to: details)
        unsafe kept = unsafe memory
    }

    deinit {
        guard let kept = unsafe kept else { return }
        unsafe kept.deinitialize(count: 1)
        unsafe kept.deallocate()
    }

    /// Notes whether the next call is one of an entry with a condition.
    @inline(never)
    mutating func lookForCondition(_ isConditional: Bool) {
        self.isConditional = isConditional
        if isConditional { Refusal.isNoted = false }
    }

    /// Whether the condition of the entry that was called has refused the payload. Then there was no call.
    @inline(__always)
    mutating func isRefused(_ entry: Entry) -> Bool {
        guard isConditional, Refusal.isNoted else { return false }
        noteRefusal(of: entry)
        return true
    }

    @inline(never)
    private mutating func noteRefusal(of entry: Entry) {
        refusals += 1
        last = 0
        if logsRefusals, isLogged { note(entry, CallLog.refused) }
    }

    /// Notes that a call has ended.
    @inline(__always)
    mutating func callEnded(_ entry: Entry) {
        guard _fastPath(isUniform) else { return unusualCallEnded(entry) }
        if measuresAll {
            let now = Moment.now
            note(entry, now - callBegan)
            last = now
        } else {
            note(entry, -1)
        }
    }

    @inline(never)
    private mutating func unusualCallEnded(_ entry: Entry) {
        last = callBegan == 0 ? 0 : Moment.now
        note(entry, callBegan == 0 ? -1 : last - callBegan)
    }

    @inline(__always)
    private mutating func note(_ entry: Entry, _ nanoseconds: Int64) {
        // There is room, as `callBegins` was preceded by a look.
        unsafe (records + made).initialize(to: Record(entry: entry, number: number, nanoseconds: nanoseconds))
        made &+= 1
    }

    /// Whether the host is told of a call at once: the details of one that was made in no lane are kept until the next.
    var tellsNow: Bool { tellsEach || !isInLane }

    var isFull: Bool { made == CallLog.room }

    /// Has the host told. Not a method: nothing else may have access to the log while this one changes it, and the host does.
    static func tell(_ log: UnsafeMutablePointer<CallLog>, _ isBeforeCall: Bool) {
        let (host, tell) = unsafe (log.pointee.host, log.pointee.tell)
        unsafe tell(host, isBeforeCall)
    }
}
