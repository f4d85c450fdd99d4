import TidingsEngine

/// A post that is reported to monitors. It lives on the stack of the posting thread. Calls are collected in a log,
/// which is reported when it is full, when the post ends, and before the thread reports another event. Therefore,
/// monitors receive posts and calls in the order in which they ended. The task-local value that marks code of monitors
/// is set once for a whole log, and not for each call.
@safe
struct ToldPost: ~Copyable {
    let subject: NotificationSubject
    private let place: SourcePlace?
    private let task: MonitoredTask

    /// `nil` before the post begins, or if no monitor is attached. A hazard pointer or the caller keeps the list alive.
    var monitors: Unmanaged<MonitorList>?

    var rare: Rare?

    final class Rare {
        var kept: MonitorList?
        var begun: [Duration?] = []
        var last: [Duration?] = []

        func duration(of index: Int, by monitor: AttachedMonitor) -> Duration? {
            begun.isEmpty ? nil : begun[index].map { monitor.now - $0 }
        }
    }

    /// Whether the contexts that monitors carry surround the post. If not, the post isn't reported to a monitor that
    /// carries contexts, because that monitor was attached while the post began.
    let isSurrounded: Bool

    var leftOut: UInt64 = 0
    var areAllLeftOut = false

    /// The log of calls, which is valid for the duration of the post.
    var log: UnsafeMutablePointer<CallLog>?

    var numbered: NumberedPost?
    private var begun: Int64 = 0
    var outer: UnsafeMutablePointer<ToldPost>?
    private var address: UnsafeMutablePointer<ToldPost>?

    private init(
        _ subject: NotificationSubject, from place: SourcePlace?, in task: MonitoredTask, isSurrounded: Bool
    ) {
        self.subject = subject
        self.task = task
        self.place = place
        self.isSurrounded = isSurrounded
    }

    static func perform(
        _ subject: NotificationSubject, from place: SourcePlace?, in task: MonitoredTask, isSurrounded: Bool,
        _ body: (UnsafeMutablePointer<ToldPost>, UnsafeMutablePointer<CallLog>) -> Int
    ) -> Int {
        var post = ToldPost(subject, from: place, in: task, isSurrounded: isSurrounded)
        return unsafe withUnsafeMutablePointer(to: &post) { post in
            unsafe CallLog.with(host: post, tell: ToldPost.take) { log in
                unsafe post.pointee.log = unsafe log
                return unsafe body(post, log)
            }
        }
    }

    static func perform(
        _ subject: NotificationSubject, from place: SourcePlace?, in task: MonitoredTask, _ monitors: MonitorList,
        of message: some Any, _ body: () -> Int
    ) {
        var post = ToldPost(subject, from: place, in: task, isSurrounded: true)
        unsafe withUnsafeMutablePointer(to: &post) { post in
            unsafe post.pointee.begin(monitors, in: nil, at: post)
            unsafe post.pointee.tellPayload(of: message)
            var count = 0
            monitors.surround(post: subject, from: place) { count = body() }
            unsafe post.pointee.end(observers: count)
        }
    }

    /// The innermost post of this thread whose calls are logged or whose monitors only receive samples of posts.
    static var ofThread: UnsafeMutablePointer<ToldPost>? {
        unsafe ThreadLocalAddress.ofToldPost?.assumingMemoryBound(to: ToldPost.self)
    }

    private static let take: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void = { host, isBeforeCall in
        let post = unsafe host.assumingMemoryBound(to: ToldPost.self)
        if isBeforeCall { unsafe post.pointee.readClocks() } else { unsafe post.pointee.tellCalls() }
    }

    /// Begins the post. The caller keeps the monitors alive until the post ends. `address` is this value's address.
    mutating func begin(_ monitors: MonitorList, in lane: Int?, at address: UnsafeMutablePointer<ToldPost>) {
        unsafe self.monitors = .passUnretained(monitors)
        var logging = unsafe log == nil ? .none : monitors.logging
        if monitors.isSampled {
            leftOut = monitors.leftOut(in: lane, isCaused: NumberedPost.current != 0 || task.delivery != .none)
            areAllLeftOut = leftOut != 0 && leftOut == monitors.everyBit
            if areAllLeftOut { logging = .none }
        }
        if !areAllLeftOut { numbered = NumberedPost(toldTo: monitors.monitoring, in: task.delivery) }
        if !logging.isNone || monitors.isSampled {
            unsafe outer = unsafe ToldPost.ofThread
            unsafe ThreadLocalAddress.ofToldPost = UnsafeMutableRawPointer(address)
            unsafe self.address = unsafe address
        }
        if let log = unsafe log, !logging.isNone {
            unsafe log.pointee.begin(
                logging: logging, measuring: monitors.measuring, tellsEach: !monitors.haveOneClock,
                logsRefusals: monitors.hasFollowers)
        }
        if !monitors.haveOneClock {
            makeRare().begun = monitors.all.map { $0.beginMeasuring(isWarnedOf: false) }
        } else if monitors.measurePosts, !areAllLeftOut {
            begun = Moment.now
            if let log = unsafe log { unsafe log.pointee.begin(at: begun) }
        }
    }

    /// Sends a description of the notification to monitors that follow posts. The description is user code. Posts that
    /// it makes aren't monitored.
    @inline(never)
    func tellPayload(of notification: some Any) {
        guard let monitors = unsafe monitors, let numbered else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            guard monitors.hasFollowers else { return }
            Monitoring.causing {
                guard let words = Payload.words(for: notification) else { return }
                monitors.each { index, monitor in
                    if isTold(index, monitor) { monitor.attachedFollower?.receive(payload: words, of: numbered.id) }
                }
            }
        }
    }

    @inline(never)
    private mutating func makeRare() -> Rare {
        let known = rare ?? Rare()
        rare = known
        return known
    }

    mutating func begin(keeping monitors: MonitorList, at address: UnsafeMutablePointer<ToldPost>) {
        makeRare().kept = monitors
        unsafe begin(monitors, in: nil, at: address)
    }

    mutating func end(observers: Int) {
        guard let monitors = unsafe monitors else { return }
        numbered?.end()
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            if let numbered { tellEnd(monitors, numbered, observers) }
        }
        if unsafe address != nil { unsafe ThreadLocalAddress.ofToldPost = unsafe UnsafeMutableRawPointer(outer) }
    }

    private mutating func tellEnd(_ monitors: MonitorList, _ numbered: NumberedPost, _ observers: Int) {
        var duration: Duration?
        if begun != 0 {
            let end =
                if observers > 0, let log = unsafe log { unsafe log.pointee.end } else { Moment.now }
            duration = .nanoseconds(end - begun)
        }
        if let outer = unsafe outer { unsafe outer.pointee.tellCalls() }
        Monitoring.causing {
            if let log = unsafe log, unsafe log.pointee.isWaiting { tellCallsHere(monitors) }
            monitors.each { index, monitor in
                guard isTold(index, monitor), monitor.isTold(postTo: observers) else { return }
                let measured = rare.map { $0.duration(of: index, by: monitor) ?? duration } ?? duration
                // The event is created in place, because a named value would be copied.
                monitor.receiveHere(
                    .posted(
                        NotificationPost(
                            id: numbered.id, cause: numbered.causeID, subject: subject, place: place,
                            observers: observers, duration: monitor.interests.contains(.durations) ? measured : nil)),
                    .posts, mayBeWarnedOf: observers == 0)
            }
        }
    }

    private mutating func readClocks() {
        guard let monitors = unsafe monitors else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            // The clocks are read for every call, because it isn't known yet whether the call is on the main actor.
            if !monitors.haveOneClock { makeRare().last = monitors.all.map { $0.beginMeasuring(isWarnedOf: true) } }
        }
    }
}
