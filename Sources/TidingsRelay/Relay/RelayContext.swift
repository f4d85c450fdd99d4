import Tidings
import TidingsWire

/// What all parts of a relay have in common.
struct RelayContext: Sendable {
    let options: RelayOptions
    /// What tells this relay from another one of the same name.
    let instance: String
    let clock: ElapsedClock
    let reports: FaultReports
    let subjects: Subjects
    let center: RelayedCenter
    let streamIdentities: StreamIdentities

    init(_ center: any TypedNotificationCenter, _ options: RelayOptions) throws(RelayFault) {
        self.options = options
        instance = options.instance ?? Identities.random()
        clock = ElapsedClock(options.clock, wall: options.wall)
        reports = FaultReports(center, clock, subjectPrefix: options.subjectPrefix)
        subjects = try Subjects(prefix: options.subjectPrefix)
        self.center = RelayedCenter(center)
        streamIdentities = StreamIdentities(options)
    }

    /// Posts a fault.
    func report(_ fault: RelayFault) { reports.report(fault) }

    /// Posts what the relay is now.
    func tell(_ state: RelayStateChanged.State) { center.base.post(RelayStateChanged(options.name, state)) }
}
