public import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Looks into a running program: who observes what since which line of source, what waits, what was dropped, and what a post led
/// to.
///
/// ```swift
/// let inspector = Inspector(of: center, bus)
/// print(inspector.snapshot().totals)
/// ```
///
/// An inspector without viewers does nothing at all. It keeps neither center nor bus alive, and what it does itself does not
/// show. <doc:LookInside> says how to show it in a browser.
public final class Inspector: Sendable {
    /// What may be changed about an inspector.
    public struct Options: Sendable {
        /// The token that requests have to have: at least 16 letters, digits, hyphens and underscores. A random one, if it is
        /// `nil`. With one that is none, which may come from the environment, no request is let in, and `serve` says what is wrong.
        public var token: String?

        /// The names of hosts, without a port, under which requests may come, beside those of the machine itself (`localhost`,
        /// `127.0.0.1`, `[::1]`). Others are refused, as a page of a stranger could have its name lead to this machine.
        public var hosts: Set<String> = []

        /// Whether browsers are to send the cookie over TLS alone. They are in any case where a server in front says, by the header
        /// `X-Forwarded-Proto` or `Forwarded`, that the request has come so.
        public var isSecure = false

        /// How many streams may be read at a time.
        public var mostViewers = 16

        /// How long the inspector counts or follows until it goes back to looking, unless it is told again.
        public var measuringTime: Duration = .seconds(300)

        /// For how long a call runs, or a queue stands still, until the observer is called stuck.
        public var stuckAfter: Duration = .seconds(10)

        /// Makes options that are not changed.
        public init() {}
    }

    /// What is inspected.
    let subjects: [Inspected]
    let options: Options
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let log: EventLog
    let state: Lock<InspectorState>
    private let pool = PoolProbe()
    let program: InspectorSnapshot.Program

    /// The token that requests have to have.
    public let token: String

    /// Makes an inspector of centers and buses.
    ///
    /// - Parameters:
    ///   - subject: A center or a bus, or one with a name: ``Inspected``.
    ///   - others: More of them.
    ///   - options: What is changed about it.
    ///   - clock: The clock by which it measures and waits.
    public convenience init(
        of subject: any Inspectable, _ others: any Inspectable..., options: Options = Options(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init([subject.inspected] + others.map { $0.inspected }, options, clock)
    }

    /// Makes an inspector of any center, also one of your own that forwards.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - others: More of them, and buses.
    ///   - options: What is changed about it.
    ///   - clock: The clock by which it measures and waits.
    @_disfavoredOverload
    public convenience init(
        of center: some TypedNotificationCenter, _ others: any Inspectable..., options: Options = Options(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init([Inspected(center)] + others.map { $0.inspected }, options, clock)
    }

    private init(_ subjects: [Inspected], _ options: Options, _ clock: any Clock<Duration>) {
        self.subjects = Inspected.withDistinctNames(subjects)
        self.options = options
        self.clock = clock
        stopwatch = Stopwatch(clock)
        token = options.token ?? Token.make()
        let start = Date().timeIntervalSince1970
        let process = ProcessInfo.processInfo
        program = InspectorSnapshot.Program(
            name: process.processName.plain, process: Int(process.processIdentifier), started: start)
        log = EventLog(capacity: 4096, subjects: subjects.count)
        state = Lock(InspectorState(self.subjects, start: start, stuckAfter: options.stuckAfter.inSeconds))
    }

    deinit { state.withLock { $0.stopMeasuring() }.detach() }

    /// Looks, and says what it sees.
    ///
    /// - Parameter selection: Which observers the snapshot has, and in which order.
    /// - Returns: The snapshot.
    public func snapshot(_ selection: Selection = Selection()) -> InspectorSnapshot { snapshot(selection, for: nil) }

    /// More about an observer, a group of them, or a type than a snapshot has, as of the last look.
    ///
    /// - Parameter observer: The identity of the observer.
    /// - Returns: The details; `nil` if there is no such observer any more.
    public func details(ofObserver observer: String) -> InspectorSnapshot.Details? {
        state.withLock { $0.details(of: .observer(observer)) }
    }

    /// More about the observers of one line of source.
    ///
    /// - Parameter group: The identity of the group.
    /// - Returns: The details; `nil` if there is none of them any more.
    public func details(ofGroup group: String) -> InspectorSnapshot.Details? {
        state.withLock { $0.details(of: .group(group)) }
    }

    /// More about a notification type.
    ///
    /// - Parameters:
    ///   - type: The type with its module.
    ///   - center: The name of the center or the bus.
    /// - Returns: The details; `nil` if the type is not known.
    public func details(ofType type: String, in center: String) -> InspectorSnapshot.Details? {
        state.withLock { $0.details(of: .type(name: type, center: center)) }
    }

    /// Looks for a viewer.
    func snapshot(_ selection: Selection, for viewer: Viewer?) -> InspectorSnapshot {
        let began = stopwatch.seconds
        if !state.withLock({ $0.hasLooked(within: viewer == nil ? 0 : 0.1, before: began) }) { look() }
        let now = stopwatch.seconds
        return state.withLock { $0.snapshot(selection, of: program, for: viewer, at: now) }
    }

    /// Looks at everything, and takes what was measured.
    func look() {
        // Describing a sender runs a stranger's code, so no lock is held.
        let sights = subjects.map { $0.look() }
        log.drain { taken in state.withLock { $0.add(taken) } }
        let blocked = pool.ask()
        let now = stopwatch.seconds
        state.withLock { $0.note(sights, poolBlockedFor: blocked, at: now) }
        keepMeasuringInBounds()
    }
}
