/// What monitors know of an element whose call begins.
@usableFromInline
struct TracedCall: Sendable {
    @export(implementation) let traced: TraceTable.Traced

    /// Who tells them of the call; `nil` if there are none any more.
    @export(implementation) let teller: QueueTeller?

    @usableFromInline
    init(_ traced: TraceTable.Traced, toldBy teller: QueueTeller?) {
        self.traced = traced
        self.teller = teller
    }

    @export(implementation) var trace: QueueTrace { traced.trace }
    @export(implementation) var scope: DeliveryScope { traced.scope }
}

/// An element that is about to wait in a mailbox, as monitors were told of it.
@usableFromInline
struct Announcement: Sendable {
    /// What monitors know of it; `nil` if none wants to know.
    @export(implementation) let trace: QueueTrace?

    /// Tells the monitors more; `nil` if a monitor caused the post, or if there is none.
    @export(implementation) let reporter: QueueReporter?

    /// Whether the mailbox counts it until the element is put in.
    @export(implementation) let isCounted: Bool

    /// Nothing that monitors were told of.
    static let none = Announcement(to: nil, waiting: nil, number: 0)

    /// Tells the monitors that an element will wait.
    ///
    /// - Parameters:
    ///   - teller: Tells them; `nil` if there are none.
    ///   - waiting: How many will wait then; `nil` if the element will be discarded.
    ///   - number: Its number in the queue.
    @usableFromInline
    init(to teller: QueueTeller?, waiting: Int?, number: Int) {
        isCounted = waiting != nil
        guard let teller, !Monitoring.isCausing else {
            trace = teller.map { _ in .causedByMonitor }
            reporter = nil
            return
        }
        ToldPost.tellCallsOfThread()
        trace = QueueTrace(toldBy: teller)
        reporter = trace == nil ? nil : teller.reporter
        trace?.tellWaiting(number: waiting.map { _ in number })
        if trace != nil, let waiting { teller.tell(waiting: waiting) }
    }
}
