import TidingsEngine

/// A post that monitors are told of, on the stack of the thread that makes it.
///
/// The calls that were made wait in a log, and the monitors are told of them together: when the log is full, when the post ends,
/// and before the thread tells monitors anything else. So monitors are told things in the order in which they ended, and the context
/// in which they are called is made once for many calls.
@safe
struct ToldPost: ~Copyable {
    /// What was posted, and where the source posts it, if that is known.
    private let subject: NotificationSubject
    private let place: SourcePlace?

    /// The monitors; `nil` until the post has begun, and if there are none. The post's lane, or its caller, keeps them.
    private var monitors: Unmanaged<MonitorList>?

    /// The same, if neither the lane nor the caller keeps them.
    private var kept: MonitorList?

    /// Whether the post is made in the contexts of those monitors that carry one. Another post does not concern them: they were
    /// attached while it began.
    private let isSurrounded: Bool

    /// A bit for each monitor that is not told of this post, as it is told of some only.
    private var leftOut: UInt64 = 0
    private var areAllLeftOut = false

    /// The calls that were made; valid as long as the post takes.
    private var log: UnsafeMutablePointer<CallLog>?

    /// The number of the post, which the thread keeps until it ends.
    private var numbered: NumberedPost?

    /// When the post began, if that is measured by one clock for all monitors.
    private var begun: Int64 = 0

    /// The times by the clocks of the monitors, at the beginning of the post and of the call, if they are not all the same clock.
    private var begunByEach: [Duration?] = []
    private var lastByEach: [Duration?] = []

    /// The post in whose call this one is made.
    private var outer: UnsafeMutablePointer<ToldPost>?

    /// Where this lies, if it is the innermost one of its thread.
    private var address: UnsafeMutablePointer<ToldPost>?

    private init(_ subject: NotificationSubject, from place: SourcePlace?, _ isSurrounded: Bool) {
        self.subject = subject
        self.place = place
        self.isSurrounded = isSurrounded
    }

    /// Makes room for a post of notifications, on the stack.
    ///
    /// - Parameters:
    ///   - subject: What is posted.
    ///   - place: Where the source posts it, if that is known.
    ///   - isSurrounded: Whether it is made in the contexts of monitors.
    ///   - body: Makes the post, and returns how many observers were called.
    /// - Returns: What the closure returns.
    static func perform(
        _ subject: NotificationSubject, from place: SourcePlace?, isSurrounded: Bool,
        _ body: (UnsafeMutablePointer<ToldPost>, UnsafeMutablePointer<CallLog>) -> Int
    ) -> Int {
        var post = ToldPost(subject, from: place, isSurrounded)
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
    ///   - monitors: The monitors.
    ///   - body: Makes the post, and returns how many observers got it.
    static func perform(_ subject: NotificationSubject, _ monitors: MonitorList, _ body: () -> Int) {
        var post = ToldPost(subject, from: nil, true)
        unsafe withUnsafeMutablePointer(to: &post) { post in
            unsafe post.pointee.begin(monitors, in: nil, at: post)
            var count = 0
            monitors.surround(post: subject, from: nil) { count = body() }
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
            leftOut = monitors.leftOut(in: lane)
            areAllLeftOut = leftOut != 0 && leftOut == monitors.everyBit
            if areAllLeftOut { logging = .none }
        }
        if !areAllLeftOut { numbered = NumberedPost(toldTo: monitors) }
        if !logging.isNone || monitors.isSampled {
            unsafe outer = unsafe ThreadLocalAddress.ofToldPost?.assumingMemoryBound(to: ToldPost.self)
            unsafe ThreadLocalAddress.ofToldPost = UnsafeMutableRawPointer(address)
            unsafe self.address = unsafe address
        }
        if let log = unsafe log, !logging.isNone {
            unsafe log.pointee.logging = logging
            unsafe log.pointee.measuring = monitors.measuring
            unsafe log.pointee.tellsEach = !monitors.haveOneClock
        }
        if !monitors.haveOneClock {
            begunByEach = monitors.all.map { $0.beginMeasuring(isWarnedOf: false) }
        } else if monitors.measurePosts, !areAllLeftOut {
            begun = Moment.now
            if let log = unsafe log { unsafe log.pointee.begin(at: begun) }
        }
    }

    /// Begins a post that is in no lane, and keeps the monitors itself.
    mutating func begin(keeping monitors: MonitorList, at address: UnsafeMutablePointer<ToldPost>) {
        kept = monitors
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
            tellCallsHere(monitors)
            monitors.each { index, monitor in
                guard isTold(index, monitor), monitor.isTold(postTo: observers) else { return }
                let duration = begunByEach.isEmpty ? duration : begunByEach[index].map { monitor.now - $0 }
                monitor.receiveHere(
                    .posted(
                        NotificationPost(
                            id: numbered.id, cause: numbered.causeID, subject: subject, place: place,
                            observers: observers,
                            duration: monitor.interests.contains(.durations) ? duration : nil)),
                    .posts, mayBeWarnedOf: observers == 0)
            }
        }
    }

    /// Reads the clocks of the monitors before a call, if they are not all the same clock.
    private mutating func readClocks() {
        guard let monitors = unsafe monitors else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            // Whether the call is one on the main actor is known when it is told.
            if !monitors.haveOneClock { lastByEach = monitors.all.map { $0.beginMeasuring(isWarnedOf: true) } }
        }
    }

    // MARK: - Telling

    /// Tells the monitors of the calls that this thread has made, before they are told anything else.
    static func tellCallsOfThread() {
        guard let post = unsafe ThreadLocalAddress.ofToldPost?.assumingMemoryBound(to: ToldPost.self) else { return }
        unsafe post.pointee.tellCalls()
    }

    /// Whether the post that this thread is making leaves out a monitor.
    static func leavesOut(_ monitor: AttachedMonitor) -> Bool {
        guard let post = unsafe ThreadLocalAddress.ofToldPost?.assumingMemoryBound(to: ToldPost.self) else {
            return false
        }
        return unsafe post.pointee.leavesOut(monitor)
    }

    private func leavesOut(_ monitor: AttachedMonitor) -> Bool {
        guard leftOut != 0, let monitors = unsafe monitors else { return false }
        var isLeftOut = false
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            monitors.each { index, other in if other === monitor, !isTold(index, other) { isLeftOut = true } }
        }
        return isLeftOut
    }

    private func isTold(_ index: Int, _ monitor: AttachedMonitor) -> Bool {
        if leftOut != 0, index < 64, leftOut & 1 << UInt64(index) != 0 { return false }
        return isSurrounded || !monitor.isCarrier
    }

    private mutating func tellCalls() {
        if let outer = unsafe outer { unsafe outer.pointee.tellCalls() }
        guard let monitors = unsafe monitors, let log = unsafe log, unsafe log.pointee.isWaiting else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in Monitoring.causing { tellCallsHere(monitors) } }
    }

    /// Tells the monitors of the calls that wait, in a context that is made for monitors.
    private func tellCallsHere(_ monitors: MonitorList) {
        guard let log = unsafe log, let numbered else { return }
        while let call = unsafe log.pointee.takeNext() {
            // An asynchronous observer's call has only put the notification into a queue: it is told when it is made.
            guard DeliveryMode(number: call.mode).isInPost else { continue }
            let duration = call.nanoseconds < 0 ? nil : Duration.nanoseconds(call.nanoseconds)
            if monitors.measureAlike {
                let event = event(call, numbered, duration)
                monitors.each { index, monitor in
                    if isTold(index, monitor) { tell(monitor, event, DeliveryMode(number: call.mode).isOnMainActor) }
                }
            } else {
                tellEach(monitors, call, numbered, duration)
            }
        }
    }

    /// Tells monitors of a call that do not all want to know its duration, or measure it by different clocks.
    private func tellEach(
        _ monitors: MonitorList, _ call: CallLog.Call, _ numbered: NumberedPost, _ duration: Duration?
    ) {
        let isOnMainActor = DeliveryMode(number: call.mode).isOnMainActor
        monitors.each { index, monitor in
            guard isTold(index, monitor) else { return }
            let measured = lastByEach.isEmpty ? duration : lastByEach[index].map { monitor.now - $0 }
            let isMeasured = monitor.measures(callOnMainActor: isOnMainActor)
            tell(monitor, event(call, numbered, isMeasured ? measured : nil), isOnMainActor)
        }
    }

    @inline(__always)
    private func event(_ call: CallLog.Call, _ numbered: NumberedPost, _ duration: Duration?) -> NotificationEvent {
        .delivered(
            NotificationDelivery(
                id: NotificationDelivery.ID(NumberedDelivery(post: numbered.number, delivery: call.number)),
                observer: ObserverDescription(call, of: subject), waited: nil, duration: duration, waiting: 0,
                isOnMainActor: DeliveryMode(number: call.mode).isOnMainActor))
    }

    @inline(__always)
    private func tell(_ monitor: AttachedMonitor, _ event: NotificationEvent, _ isOnMainActor: Bool) {
        if monitor.isTold(callOnMainActor: isOnMainActor) {
            monitor.receiveHere(event, .deliveries, mayBeWarnedOf: isOnMainActor)
        }
    }
}
