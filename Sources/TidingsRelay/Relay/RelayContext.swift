import Tidings
import TidingsWire

/// The state and services that all parts of a relay share.
struct RelayContext: Sendable {
    let options: RelayOptions
    /// Distinguishes this relay from others of the same name.
    let instance: String
    let clock: ElapsedClock
    /// The time at which the relay was created, in milliseconds since 1970.
    let started: Int64
    let reports: FaultReports
    let subjects: Subjects
    let center: RelayedCenter
    let streamIdentities: StreamIdentities

    init(_ center: any TypedNotificationCenter, _ options: RelayOptions) throws(RelayFault) {
        self.options = options
        instance = options.instance ?? Identities.random()
        clock = ElapsedClock(options.clock, wall: options.wall)
        started = clock.wall
        reports = FaultReports(center, clock, subjectPrefix: options.subjectPrefix)
        subjects = try Subjects(prefix: options.subjectPrefix)
        self.center = RelayedCenter(center)
        streamIdentities = StreamIdentities(options)
    }

    func report(_ fault: RelayFault) { reports.report(fault) }

    func tell(_ state: RelayStateChanged.State) { center.base.post(RelayStateChanged(options.name, state)) }
}
