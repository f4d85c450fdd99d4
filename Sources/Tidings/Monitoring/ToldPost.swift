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

    /// What monitors have to know of the task that posts.
    private let task: MonitoredTask

    /// The monitors; `nil` until the post has begun, and if there are none. The post's lane, or its caller, keeps them.
    private var monitors: Unmanaged<MonitorList>?

    /// What few posts need; `nil` for the others.
    private var rare: Rare?

    /// What few posts need.
    private final class Rare {
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

    /// The post in whose call this one is made.
    private var outer: UnsafeMutablePointer<ToldPost>?

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
    ///   - task: What monitors have to know of the task that posts.
    ///   - monitors: The monitors.
    ///   - message: What is posted.
    ///   - body: Makes the post, and returns how many observers got it.
    static func perform(
        _ subject: NotificationSubject, in task: MonitoredTask, _ monitors: MonitorList, of message: some Any,
        _ body: () -> Int
    ) {
        var post = ToldPost(subject, from: nil, in: task, isSurrounded: true)
        unsafe withUnsafeMutablePointer(to: &post) { post in
            unsafe post.pointee.begin(monitors, in: nil, at: post)
            unsafe post.pointee.tellPayload(of: message)
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
        if !areAllLeftOut { numbered = NumberedPost(toldTo: monitors, in: task) }
        if !logging.isNone || monitors.isSampled {
            unsafe outer = unsafe ThreadLocalAddress.ofToldPost?.assumingMemoryBound(to: ToldPost.self)
            unsafe ThreadLocalAddress.ofToldPost = UnsafeMutableRawPointer(address)
            unsafe self.address = unsafe address
        }
        if let log = unsafe log, !logging.isNone {
            unsafe log.pointee.begin(
                logging: logging, measuring: monitors.measuring, tellsEach: !monitors.haveOneClock)
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
            guard monitors.takesPayloads else { return }
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
            let mode = unsafe DeliveryMode(number: call.details.pointee.mode)
            guard mode.isInPost else { continue }
            if !monitors.measureAlike {
                tellEach(monitors, call, numbered, mode)
            } else if let type = subject.type {
                tellAll(monitors, event(call, of: NotificationSubject(known: type), numbered, mode), mode)
            } else {
                tellAll(monitors, event(call, of: subject, numbered, mode), mode)
            }
        }
    }

    /// Tells monitors of a call by one event for all.
    @inline(__always)
    private func tellAll(_ monitors: MonitorList, _ event: NotificationEvent, _ mode: DeliveryMode) {
        monitors.each { index, monitor in
            if isTold(index, monitor) { tell(monitor, event, mode.isOnMainActor) }
        }
    }

    /// Tells monitors of a call that do not all want to know its duration, or measure it by different clocks.
    @inline(never)
    private func tellEach(
        _ monitors: MonitorList, _ call: CallLog.Call, _ numbered: NumberedPost, _ mode: DeliveryMode
    ) {
        let observer = ObserverDescription(call, of: subject)
        let duration = call.nanoseconds < 0 ? nil : Duration.nanoseconds(call.nanoseconds)
        let last = rare?.last ?? []
        monitors.each { index, monitor in
            guard isTold(index, monitor) else { return }
            let measured = last.isEmpty ? duration : last[index].map { monitor.now - $0 }
            let isMeasured = monitor.measures(callOnMainActor: mode.isOnMainActor)
            let delivery = NotificationDelivery(
                id: id(of: call, numbered), observer: observer, waited: nil, duration: isMeasured ? measured : nil,
                waiting: 0, isOnMainActor: mode.isOnMainActor)
            tell(monitor, .delivered(delivery), mode.isOnMainActor)
        }
    }

    @inline(__always)
    private func event(
        _ call: CallLog.Call, of subject: NotificationSubject, _ numbered: NumberedPost, _ mode: DeliveryMode
    ) -> NotificationEvent {
        .delivered(
            NotificationDelivery(
                id: id(of: call, numbered), observer: ObserverDescription(call, of: subject),
                nanoseconds: call.nanoseconds, isOnMainActor: mode.isOnMainActor))
    }

    @inline(__always)
    private func id(of call: CallLog.Call, _ numbered: NumberedPost) -> NotificationDelivery.ID {
        NotificationDelivery.ID(NumberedDelivery(post: numbered.number, delivery: call.number))
    }

    @inline(__always)
    private func tell(_ monitor: AttachedMonitor, _ event: NotificationEvent, _ isOnMainActor: Bool) {
        if monitor.isTold(callOnMainActor: isOnMainActor) {
            monitor.receiveHere(event, .deliveries, mayBeWarnedOf: isOnMainActor)
        }
    }
}
