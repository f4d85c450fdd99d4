import TidingsEngine

/// A post that monitors are told of, on the stack of the thread that makes it.
///
/// The calls that were made wait in a log, and the monitors are told of them together: when the log is full, when the post ends,
/// and before the thread tells monitors anything else. So monitors are told things in the order in which they ended, and the context
/// in which they are called is made once for many calls.
@safe
struct ToldPost: ~Copyable {
    /// What was posted, and where the source posts it, if that is known.
    let subject: NotificationSubject
    private let place: SourcePlace?

    /// What monitors have to know of the task that posts.
    private let task: MonitoredTask

    /// The monitors; `nil` until the post has begun, and if there are none. The post's lane, or its caller, keeps them.
    var monitors: Unmanaged<MonitorList>?

    /// What few posts need; `nil` for the others.
    var rare: Rare?

    /// What few posts need.
    final class Rare {
        /// The monitors, if neither the lane nor the caller keeps them.
        var kept: MonitorList?

        /// The times by the clocks of the monitors, at the beginning of the post and of the call, if they are not all the same clock.
        var begun: [Duration?] = []
        var last: [Duration?] = []

        /// How long the post has taken by the clock of a monitor; `nil` if that is not measured.
        func duration(of index: Int, by monitor: AttachedMonitor) -> Duration? {
            begun.isEmpty ? nil : begun[index].map { monitor.now - $0 }
        }
    }

    /// Whether the post is made in the contexts of those monitors that carry one. Another post does not concern them: they were
    /// attached while it began.
    let isSurrounded: Bool

    /// A bit for each monitor that is not told of this post, as it is told of some only.
    var leftOut: UInt64 = 0
    private var areAllLeftOut = false

    /// The calls that were made; valid as long as the post takes.
    var log: UnsafeMutablePointer<CallLog>?

    /// The number of the post, which the thread keeps until it ends.
    var numbered: NumberedPost?

    /// When the post began, if that is measured by one clock for all monitors.
    private var begun: Int64 = 0

    /// The post in whose call this one is made.
    var outer: UnsafeMutablePointer<ToldPost>?

    /// Where this lies, if it is the innermost one of its thread.
    private var address: UnsafeMutablePointer<ToldPost>?

    private init(
        _ subject: NotificationSubject, from place: SourcePlace?, in task: MonitoredTask, isSurrounded: Bool
    ) {
        self.subject = subject
        self.task = task
        self.place = place
        self.isSurrounded = isSurrounded
    }

    /// Makes room for a post of notifications, on the stack.
    ///
    /// - Parameters:
    ///   - subject: What is posted.
    ///   - place: Where the source posts it, if that is known.
    ///   - task: What monitors have to know of the task that posts.
    ///   - isSurrounded: Whether it is made in the contexts of monitors.
    ///   - body: Makes the post, and returns how many observers were called.
    /// - Returns: What the closure returns.
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

    /// Makes a post that makes no calls, in the contexts of monitors.
    ///
    /// - Parameters:
    ///   - subject: What is posted.
    ///   - place: Where the source posts it, if that is known.
    ///   - task: What monitors have to know of the task that posts.
    ///   - monitors: The monitors.
    ///   - message: What is posted.
    ///   - body: Makes the post, and returns how many observers got it.
    static func perform(
        _ subject: NotificationSubject, from place: SourcePlace?, in task: MonitoredTask, _ monitors: MonitorList,
        of message: some Any,
        _ body: () -> Int
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

    /// Takes what a log tells its host.
    private static let take: @convention(c) (UnsafeMutableRawPointer, Bool) -> Void = { host, isBeforeCall in
        let post = unsafe host.assumingMemoryBound(to: ToldPost.self)
        if isBeforeCall { unsafe post.pointee.readClocks() } else { unsafe post.pointee.tellCalls() }
    }

    // MARK: - The course of a post

    /// Begins the post.
    ///
    /// - Parameters:
    ///   - monitors: The monitors. The caller keeps them until the post has ended.
    ///   - lane: The number of the post's lane, if it is in one.
    ///   - address: Where this lies.
    mutating func begin(_ monitors: MonitorList, in lane: Int?, at address: UnsafeMutablePointer<ToldPost>) {
        unsafe self.monitors = .passUnretained(monitors)
        var logging = unsafe log == nil ? .none : monitors.logging
        if monitors.isSampled {
            leftOut = monitors.leftOut(in: lane, isCaused: NumberedPost.current != 0 || task.delivery != .none)
            areAllLeftOut = leftOut != 0 && leftOut == monitors.everyBit
            if areAllLeftOut { logging = .none }
        }
        if !areAllLeftOut { numbered = NumberedPost(toldTo: monitors, in: task) }
        if !logging.isNone || monitors.isSampled {
            unsafe outer = unsafe ThreadLocalAddress.ofToldPost?.assumingMemoryBound(to: ToldPost.self)
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

    /// Tells the monitors that want it the notification in words.
    ///
    /// - Parameter notification: The notification. The code that has words for it is its type's own, and what that posts is not told.
    @inline(never)
    func tellPayload(of notification: some Any) {
        guard let monitors = unsafe monitors, let numbered else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            guard monitors.hasFollowers else { return }
            Monitoring.causing {
                guard let words = Payload.words(for: notification) else { return }
                monitors.each { index, monitor in
                    if isTold(index, monitor) { monitor.receive(payload: words, of: numbered.id) }
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

    /// Begins a post that is in no lane, and keeps the monitors itself.
    mutating func begin(keeping monitors: MonitorList, at address: UnsafeMutablePointer<ToldPost>) {
        makeRare().kept = monitors
        unsafe begin(monitors, in: nil, at: address)
    }

    /// Ends the post, and tells the monitors of it.
    ///
    /// - Parameter observers: How many observers were called.
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
                // Made where it is handed on: one with a name would be copied.
                monitor.receiveHere(
                    .posted(
                        NotificationPost(
                            id: numbered.id, cause: numbered.causeID, subject: subject, place: place,
                            observers: observers,
                            duration: monitor.interests.contains(.durations) ? measured : nil)),
                    .posts, mayBeWarnedOf: observers == 0)
            }
        }
    }

    /// Reads the clocks of the monitors before a call, if they are not all the same clock.
    private mutating func readClocks() {
        guard let monitors = unsafe monitors else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            // Whether the call is one on the main actor is known when it is told.
            if !monitors.haveOneClock { makeRare().last = monitors.all.map { $0.beginMeasuring(isWarnedOf: true) } }
        }
    }
}
