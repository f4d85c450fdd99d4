/// Calls of a post that haven't been reported to the host yet. The log is on the posting thread's stack. All code
/// accesses it through its address, because a nested post may also report these calls.
@safe
package struct CallLog: ~Copyable {
    struct Record {
        let entry: Entry
        let number: UInt64
        let nanoseconds: Int64
    }

    /// A logged call. It points to the details of the called entry, which is an observer in the channel. A copy of the
    /// details would retain their ``EntryDetails/tie``, and all posting threads would write to one reference count.
    @safe
    package struct Call {
        @usableFromInline package let serial: UInt64
        @usableFromInline package let number: UInt64
        /// -1 if the call wasn't measured, ``refused`` if the entry's condition rejected the payload.
        @usableFromInline package let nanoseconds: Int64
        /// Valid until the next call is taken or the post has ended.
        @usableFromInline package let details: UnsafePointer<EntryDetails>
    }

    package enum Selection {
        case none
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

    package static let refused: Int64 = -2

    private var logsRefusals = false

    private static let room = 32

    private let records: UnsafeMutablePointer<Record>

    /// The numbers of recorded calls and of reported calls, since the log was last empty.
    private var made = 0
    private var told = 0

    /// When the last call ended, which is when the next call begins; 0 if the next call has to read the clock.
    private var last: Int64 = 0

    private var number: UInt64 = 0

    /// When the running call began; 0 if it isn't measured.
    private var callBegan: Int64 = 0

    let host: UnsafeMutableRawPointer
    let tell: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void

    private let counting: NumberedPost.Counting

    @usableFromInline package private(set) var logging = Selection.none
    private var measuring = Selection.none

    private var isUniform = false
    private var measuresAll = false

    var isLogged = false

    var tellsEach = false

    /// A copy of the called entry's details, if no ``Lane`` keeps the entry's memory for the post. Freed by `deinit`.
    private var kept: UnsafeMutablePointer<EntryDetails>?
    var isInLane = true

    var hasConditions = true

    var refusals = 0

    private var isConditional = false

    /// Creates a log for `body`. If `tellsEach` was set, `tell` is called with `true` before each logged call. When the
    /// host has to take the recorded calls, `tell` is called with `false`: if the log is full, and after each logged
    /// call if ``tellsNow`` is true.
    package static func with(
        host: UnsafeMutableRawPointer, tell: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void,
        _ body: (UnsafeMutablePointer<CallLog>) -> Int
    ) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: Record.self, capacity: room) { records in
            // The capacity isn't 0, so there is an address.
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

    /// Begins the log, before the first call of an observer.
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

    package mutating func begin(at moment: Int64) { last = moment }

    package var end: Int64 { measuresAll && last != 0 ? last : Moment.now }

    package var isWaiting: Bool { told < made }

    /// Returns the next call that hasn't been reported; `nil` if there is none. Must be called before the post ends.
    package mutating func takeNext() -> Call? {
        guard told < made else {
            (made, told) = (0, 0)
            // Reporting takes time, which isn't part of the next call.
            last = 0
            return nil
        }
        let record = unsafe records[told]
        told += 1
        let chunk = record.entry.chunk
        let index = record.entry.index(in: chunk)
        // With a lane, the details exist until the post leaves, because the entry was live after the lane was claimed.
        guard let details = unsafe isInLane ? chunk.detailsMemory(index) : kept else {
            preconditionFailure("a call was recorded without the details of its entry")
        }
        return unsafe Call(
            serial: chunk.serial(index), number: record.number, nanoseconds: record.nanoseconds, details: details)
    }

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
            // `last` is copied, because a nested post reports the earlier calls and clears `last`.
            callBegan = last
        }
    }

    @inline(never)
    private mutating func callBegins(inMode mode: UInt8) {
        isLogged = logging.contains(mode)
        callBegan = !measuring.contains(mode) ? 0 : last == 0 || !measuresAll ? Moment.now : last
    }

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

    @inline(never)
    mutating func lookForCondition(_ isConditional: Bool) {
        self.isConditional = isConditional
        if isConditional { Refusal.isNoted = false }
    }

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
        // There is room, because the hook checks `isFull` before it calls `callBegins`.
        unsafe (records + made).initialize(to: Record(entry: entry, number: number, nanoseconds: nanoseconds))
        made &+= 1
    }

    /// Whether each call is reported at once. Without a lane, the details of a call are kept only until the next call.
    var tellsNow: Bool { tellsEach || !isInLane }

    var isFull: Bool { made == CallLog.room }

    /// Static, because `tell` accesses the log, and a mutating method would need exclusive access.
    static func tell(_ log: UnsafeMutablePointer<CallLog>, _ isBeforeCall: Bool) {
        let (host, tell) = unsafe (log.pointee.host, log.pointee.tell)
        unsafe tell(host, isBeforeCall)
    }
}
