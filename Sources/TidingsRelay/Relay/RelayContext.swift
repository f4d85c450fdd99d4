struct RelayContext: Sendable {
    let options: RelayOptions
    let instance: String
    let clock: ElapsedClock
    /// The creation time of the relay, in milliseconds since 1970.
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
