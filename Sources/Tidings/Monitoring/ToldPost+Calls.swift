import TidingsEngine

extension ToldPost {
    /// Reports the calls that are logged on this thread. Must be called before monitors receive another event.
    static func tellCallsOfThread() {
        if let post = unsafe ofThread { unsafe post.pointee.tellCalls() }
    }

    static func leavesOut(_ monitor: AttachedMonitor) -> Bool {
        if let post = unsafe ofThread { unsafe post.pointee.leavesOut(monitor) } else { false }
    }

    static func leavesOutAll(of monitors: MonitorList) -> Bool {
        guard let post = unsafe ofThread else { return false }
        return unsafe post.pointee.areAllLeftOut
            && post.pointee.monitors?.toOpaque() == Unmanaged.passUnretained(monitors).toOpaque()
    }

    private func leavesOut(_ monitor: AttachedMonitor) -> Bool {
        guard leftOut != 0, let monitors = unsafe monitors else { return false }
        var isLeftOut = false
        unsafe monitors._withUnsafeGuaranteedRef { monitors in
            monitors.each { index, other in if other === monitor, !isTold(index, other) { isLeftOut = true } }
        }
        return isLeftOut
    }

    func isTold(_ index: Int, _ monitor: AttachedMonitor) -> Bool {
        if leftOut != 0, index < 64, leftOut & 1 << UInt64(index) != 0 { return false }
        return isSurrounded || !monitor.isCarrier
    }

    /// Reports the logged calls, beginning with those of enclosing posts.
    mutating func tellCalls() {
        if let outer = unsafe outer { unsafe outer.pointee.tellCalls() }
        guard let monitors = unsafe monitors, let log = unsafe log, unsafe log.pointee.isWaiting else { return }
        unsafe monitors._withUnsafeGuaranteedRef { monitors in Monitoring.causing { tellCallsHere(monitors) } }
    }

    func tellCallsHere(_ monitors: MonitorList) {
        guard let log = unsafe log, let numbered else { return }
        while let call = unsafe log.pointee.takeNext() {
            if call.nanoseconds == CallLog.refused {
                tellRefusal(monitors, call, numbered)
                continue
            }
            let mode = unsafe DeliveryMode(number: call.details.pointee.mode)
            // For an asynchronous observer, the post only queues the notification. The call is reported later.
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

    @inline(never)
    private func tellRefusal(_ monitors: MonitorList, _ call: CallLog.Call, _ numbered: NumberedPost) {
        let observer = ObserverDescription(call, of: subject)
        monitors.each { index, monitor in
            if isTold(index, monitor) { monitor.attachedFollower?.receive(refusalBy: observer, of: numbered.id) }
        }
    }

    @inline(__always)
    private func tellAll(_ monitors: MonitorList, _ event: NotificationEvent, _ mode: DeliveryMode) {
        monitors.each { index, monitor in
            if isTold(index, monitor) { tell(monitor, event, mode.isOnMainActor) }
        }
    }

    /// Creates an event for each monitor, because only some receive durations, or because they use different clocks.
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
