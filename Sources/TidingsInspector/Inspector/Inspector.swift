public import Tidings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Inspects a running program: its observers, queued and dropped notifications, and the consequences of posts.
///
/// ```swift
/// let inspector = Inspector(of: center, bus)
/// print(inspector.snapshot().totals)
/// ```
///
/// Without viewers, an inspector takes no snapshots on its own, and stops measuring after ten seconds. It doesn't keep
/// the center or bus alive, and doesn't show its own activity. <doc:LookInside> explains how to open it in a browser.
public final class Inspector: Sendable {
    /// The options of an inspector.
    public struct Options: Sendable {
        /// The token that requests must have: at least 16 letters, digits, hyphens and underscores. If `nil`, a random
        /// token is created. If the token is invalid, all requests are rejected, and `serve` reports the reason.
        public var token: String?

        /// The host names, without a port, that requests may use in addition to `localhost`, `127.0.0.1` and `[::1]`.
        /// Other hosts are rejected, because an attacker's page could resolve its own name to this machine.
        public var hosts: Set<String> = []

        /// Whether browsers send the cookie only over TLS. Even if this is `false`, browsers do so if a proxy reports
        /// TLS with the header `X-Forwarded-Proto` or `Forwarded`.
        public var isSecure = false

        /// Whether requests with the token may redeliver and drop stored notifications. The default is false.
        public var mayChangeStored = false

        /// The maximum number of viewers. A viewer reads a sequence of snapshots, for example in a browser.
        public var mostViewers = 16

        /// The default duration of ``Inspector/measure(_:for:)``, after which measuring ends.
        public var measuringTime: Duration = .seconds(300)

        /// The time after which an observer is reported as stuck if its running call or its queue makes no progress.
        public var stuckAfter: Duration = .seconds(10)

        /// Creates the default options.
        public init() {}
    }

    let subjects: [Inspected]
    let options: Options
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let log: EventLog
    let state: Lock<InspectorState>
    private let pool = PoolProbe()
    let program: InspectorSnapshot.Program

    /// The token that requests must have.
    public let token: String

    /// Creates an inspector of centers and buses.
    ///
    /// - Parameters:
    ///   - subject: A center, a bus, or an ``Inspected`` value with a name of your choice.
    ///   - others: More centers and buses.
    ///   - options: The options.
    ///   - clock: The clock for measuring and waiting.
    public convenience init(
        of subject: any Inspectable, _ others: any Inspectable..., options: Options = Options(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init([subject.inspected] + others.map { $0.inspected }, options, clock)
    }

    /// Creates an inspector of a center of any type, for example of a custom center that forwards to another center.
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - others: More centers and buses.
    ///   - options: The options.
    ///   - clock: The clock for measuring and waiting.
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
        marksAreKept.store(true, ordering: .relaxed)
        state = Lock(InspectorState(self.subjects, start: start, stuckAfter: options.stuckAfter.inSeconds))
    }

    deinit { state.withLock { $0.stopMeasuring() }.detach() }

    /// Takes a snapshot.
    ///
    /// - Parameter selection: The observers to include, and their order.
    /// - Returns: The snapshot.
    public func snapshot(_ selection: Selection = Selection()) -> InspectorSnapshot { snapshot(selection, for: nil) }

    /// Returns more details about an observer than a snapshot contains, as of the last snapshot.
    ///
    /// - Parameter observer: The identity of the observer.
    /// - Returns: The details, or `nil` if the observer wasn't registered at the last snapshot.
    public func details(ofObserver observer: String) -> InspectorSnapshot.Details? {
        state.withLock { $0.details(of: .observer(observer)) }
    }

    /// Returns details about the observers of one source line.
    ///
    /// - Parameter group: The identity of the group.
    /// - Returns: The details, or `nil` if the group has no observers.
    public func details(ofGroup group: String) -> InspectorSnapshot.Details? {
        state.withLock { $0.details(of: .group(group)) }
    }

    /// Returns details about a notification type.
    ///
    /// - Parameters:
    ///   - type: The name of the type, with its module.
    ///   - center: The name of the center or the bus.
    /// - Returns: The details, or `nil` if the type isn't known.
    public func details(ofType type: String, in center: String) -> InspectorSnapshot.Details? {
        state.withLock { $0.details(of: .type(name: type, center: center)) }
    }

    func snapshot(_ selection: Selection, for viewer: Viewer?) -> InspectorSnapshot {
        let began = stopwatch.seconds
        if !state.withLock({ $0.hasLooked(within: viewer == nil ? 0 : 0.1, before: began) }) { look() }
        let now = stopwatch.seconds
        return state.withLock { $0.snapshot(selection, of: program, for: viewer, at: now) }
    }

    func look() {
        // No lock is held here, because describing a sender runs the program's own code.
        let sights = subjects.map { $0.look() }
        let origin = stopwatch.origin()
        log.drain { taken in state.withLock { $0.add(taken, origin: origin) } }
        let blocked = pool.ask()
        let now = stopwatch.seconds
        state.withLock { $0.note(sights, poolBlockedFor: blocked, at: now) }
        keepMeasuringInBounds()
    }
}
