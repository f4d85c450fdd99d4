@usableFromInline
struct TracedCall: Sendable {
    @export(implementation) let traced: TraceTable.Traced

    /// Sends events to the monitors; `nil` if there are no longer any monitors.
    @export(implementation) let teller: QueueTeller?

    @usableFromInline
    init(_ traced: TraceTable.Traced, toldBy teller: QueueTeller?) {
        self.traced = traced
        self.teller = teller
    }

    @export(implementation) var trace: QueueTrace { traced.trace }
    @export(implementation) var scope: DeliveryScope { traced.scope }

    /// Returns the current time; 0 if the call isn't measured. Returns `nil` if setting ``MonitoredTask/local`` isn't
    /// enough for the call, for example because a delivery waits for the call.
    @usableFromInline
    func begin(isolation: (any Actor)?) -> Int64? {
        scope == .none ? trace.begin(toldBy: teller, isolation: isolation) : nil
    }
}

@usableFromInline
struct Announcement: Sendable {
    @export(implementation) let trace: QueueTrace?

    /// Sends events to the monitors; `nil` if a monitor caused the post, or if no monitor receives the post.
    @export(implementation) let teller: QueueTeller?

    @export(implementation) let isCounted: Bool

    static let none = Announcement(to: nil, waiting: nil, number: 0)

    /// Reports to the monitors that an element will be queued. `waiting` is the length of the queue including the
    /// element; `nil` if the element will be discarded. `number` is the element's position among all elements that were
    /// ever queued.
    @usableFromInline
    init(to teller: QueueTeller?, waiting: Int?, number: Int) {
        isCounted = waiting != nil
        guard let teller, !Monitoring.isCausing else {
            trace = teller.map { _ in .causedByMonitor }
            self.teller = nil
            return
        }
        ToldPost.tellCallsOfThread()
        trace = QueueTrace(toldBy: teller)
        guard let trace, !trace.isLeftOut else {
            self.teller = nil
            return
        }
        self.teller = teller
        trace.tellWaiting(number: waiting.map { _ in number })
        if let waiting { teller.tell(waiting: waiting) }
    }
}
