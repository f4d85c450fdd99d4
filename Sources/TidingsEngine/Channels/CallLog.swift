import Synchronization

/// The calls that a post has made and that its host has yet to be told of, on the stack of the thread that posts.
///
/// It is reached by its address only, as a post that is made in a call of the first one may have them told.
@safe
package struct CallLog: ~Copyable {
    fileprivate struct Record {
        let entry: Entry
        let number: UInt64
        let nanoseconds: Int64
    }

    /// A call that was made, with what is known about its entry.
    ///
    /// It retains nothing: the reference count of a tie is a word to which every thread that posts would write.
    @safe
    package struct Call {
        /// The number of the entry, see ``Entry/serial``.
        package let serial: UInt64
        /// The number of the delivery in its post.
        package let number: UInt64
        /// How long the call took; -1 if that was not measured.
        package let nanoseconds: Int64
        package let fileID: StaticString
        package let line: UInt32
        package let mode: UInt8
        package let isLimited: Bool
        /// Valid until the next call is taken, or the post has ended.
        package let tie: Unmanaged<AnyObject>?

        @inline(__always)
        fileprivate init(_ record: Record, _ serial: UInt64, _ details: UnsafePointer<EntryDetails>) {
            self.serial = serial
            number = record.number
            nanoseconds = record.nanoseconds
            fileID = unsafe details.pointee.fileID
            line = unsafe details.pointee.line
            mode = unsafe details.pointee.mode
            isLimited = unsafe details.pointee.isLimited
            unsafe tie = unsafe details.pointee.tie.map { unsafe .passUnretained($0) }
        }
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
        fileprivate func contains(_ details: @autoclosure () -> EntryDetails) -> Bool {
            switch self {
            case .none: false
            case .mode(let mode): details().mode == mode
            case .all: true
            }
        }
    }

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

    fileprivate let host: UnsafeMutableRawPointer
    fileprivate let tell: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void

    package var logging = Selection.none
    package var measuring = Selection.none

    /// Whether the call under way is logged.
    fileprivate var isLogged = false

    /// Whether the host is told of each call at once.
    package var tellsEach = false

    /// The details of the entry that is called, if the post is in no lane, so that they may be gone otherwise.
    private var details: EntryDetails?
    fileprivate var isInLane = true

    /// How many entries were called whose condition refused the payload, which does not count.
    fileprivate var refusals = 0

    /// Whether the entry that is called has a condition.
    private var isConditional = false

    /// Makes an empty log, for as long as a closure takes.
    ///
    /// - Parameters:
    ///   - host: What to hand to `tell`.
    ///   - tell: Tells the host: with `false`, that calls wait, and there is no room for more, or it is told of each; with `true`, that
    ///     a call is about to be made, if it is told of each.
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
    }

    /// Says when the post begins, if that is measured.
    package mutating func begin(at moment: Int64) { last = moment }

    /// The moment in which the last call ended, if all are measured; else this moment.
    package var end: Int64 { measuring.isAll && last != 0 ? last : Moment.now }

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
        if isInLane { return unsafe Call(record, chunk.serial(index), chunk.detailsMemory(index)) }
        guard let details else { preconditionFailure("a call has begun before it is told") }
        return unsafe withUnsafePointer(to: details) { unsafe Call(record, chunk.serial(index), $0) }
    }

    /// Notes that a call begins.
    fileprivate mutating func callBegins(_ details: @autoclosure () -> EntryDetails) {
        number = NumberedPost.beginCall()
        isLogged = logging.contains(details())
        switch measuring {
        case .none: callBegan = 0
        case .mode(let mode): callBegan = details().mode == mode ? Moment.now : 0
        case .all: callBegan = last == 0 ? Moment.now : last
        }
        if !isInLane { self.details = details() }
    }

    /// Notes whether the next call is one of an entry with a condition.
    fileprivate mutating func lookForCondition(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) {
        // Most chunks have none: then the details need not be read.
        isConditional = entry.chunk.hasTies && details().isConditional
        if isConditional { Refusal.isNoted = false }
    }

    /// Whether the condition of the entry that was called has refused the payload. Then there was no call.
    fileprivate mutating func isRefused() -> Bool {
        guard isConditional, Refusal.isNoted else { return false }
        refusals += 1
        last = 0
        return true
    }

    /// Notes that a call has ended.
    fileprivate mutating func callEnded(_ entry: Entry) {
        last = callBegan == 0 ? 0 : Moment.now
        // There is room, as `callBegins` was preceded by a look.
        unsafe (records + made).initialize(
            to: Record(entry: entry, number: number, nanoseconds: callBegan == 0 ? -1 : last - callBegan))
        made += 1
    }

    /// Whether the host is told of a call at once: the details of one that was made in no lane are kept until the next.
    fileprivate var tellsNow: Bool { tellsEach || !isInLane }

    fileprivate var isFull: Bool { made == CallLog.room }

    /// Has the host told. Not a method: nothing else may have access to the log while this one changes it, and the host does.
    fileprivate static func tell(_ log: UnsafeMutablePointer<CallLog>, _ isBeforeCall: Bool) {
        let (host, tell) = unsafe (log.pointee.host, log.pointee.tell)
        unsafe tell(host, isBeforeCall)
    }
}

/// Logs the calls of a post.
@safe
struct CallLogging: PostHook {
    /// Valid as long as the post takes.
    let log: UnsafeMutablePointer<CallLog>

    /// An entry that is not called.
    let left: Entry?

    var refusals: Int { unsafe log.pointee.refusals }

    @inline(__always)
    func willCall(_ entry: Entry, _ details: @autoclosure () -> EntryDetails) -> Bool {
        if entry == left { return false }
        unsafe log.pointee.lookForCondition(entry, details())
        if unsafe log.pointee.logging.isNone { return true }
        if unsafe log.pointee.isFull { unsafe CallLog.tell(log, false) }
        unsafe log.pointee.callBegins(details())
        if unsafe log.pointee.tellsEach, unsafe log.pointee.isLogged { unsafe CallLog.tell(log, true) }
        return true
    }

    @inline(__always)
    func didCall(_ entry: Entry) {
        if unsafe log.pointee.isRefused() || !log.pointee.isLogged { return }
        unsafe log.pointee.callEnded(entry)
        if unsafe log.pointee.tellsNow { unsafe CallLog.tell(log, false) }
    }
}

extension TypedChannel {
    /// Makes a post, and logs the calls.
    ///
    /// - Parameters:
    ///   - payload: What is posted.
    ///   - sender: Its sender.
    ///   - left: An entry that is not called.
    ///   - log: The log.
    ///   - begin: Called when the post has begun, before its first call, with the number of its lane, or with `nil` if it found none.
    ///     In a lane, everything that the post can see is kept until `end` has returned, also what the host has replaced: see
    ///     ``Channel/setMonitored(_:)``.
    ///   - end: Called when the post has made its last call, with the number of calls.
    /// - Returns: How many observers were called.
    package func post(
        _ payload: Payload, from sender: (Payload) -> Sender, except left: Entry?,
        in log: UnsafeMutablePointer<CallLog>,
        begin: (Int?) -> Void, end: (Int) -> Void
    ) -> Int {
        let (flags, begun) = everyone.beginning
        if !flags.contains(.hasEntries) { return 0 }
        var hook = unsafe CallLogging(log: log, left: left)
        guard let lane = lanes.claim(name) else {
            unsafe log.pointee.isInLane = false
            begin(nil)
            let calls = postWithoutLane(payload, search(from: sender(payload)), begun, &hook)
            end(calls)
            return calls
        }
        begin(lanes.number(of: lane))
        let found = unsafe flags.contains(.isFiltered) ? roster(of: sender(payload)) : nil
        let calls: Int
        if left == nil, unsafe log.pointee.logging.isNone, !hasConditions.load(ordering: .relaxed) {
            var hook = NoHook()
            calls = unsafe call(found, flags, begun, payload, lane, &hook)
        } else {
            calls = unsafe call(found, flags, begun, payload, lane, &hook) - hook.refusals
        }
        end(calls)
        count(calls, lane)
        if !lane.leave(name) { leaveMarked(lane) }
        return calls
    }
}
