import Tidings

/// What an inspector knows, under its lock. No stranger's code runs in it.
struct InspectorState: Sendable {
    private let start: Double
    private let subjects: [Inspected]
    private var ledger: Ledger
    private var picture = Ledger.Picture()
    private var measured: Measured
    private var sequence = 0

    /// How much is measured, and until when by the inspector's clock.
    private(set) var tier = Snapshot.Tier.look
    private var tierEnds = 0.0

    /// Which time it is that something is measured, so that what belongs to an earlier one knows that it is over.
    private(set) var measurement = 0
    private var attachments: [MonitorAttachment] = []

    /// The task that takes out what was measured, again and again.
    private var rounds: Task<Void, Never>?

    /// How many events there were in all, at the end of the last round of the measurement.
    private var events: Int?

    /// Who reads a stream.
    private var viewers: [Int: Viewer] = [:]
    private var lastViewer = 0

    /// When a viewer looked the last time, by the inspector's clock.
    private var lastLook = 0.0

    /// The addresses on which the inspector's own server listens.
    var hosts: Set<String> = []

    /// Whether all streams are to end.
    private(set) var isStopped = false

    init(_ subjects: [Inspected], start: Double) {
        self.subjects = subjects
        self.start = start
        ledger = Ledger(subjects, start: start)
        measured = Measured(subjects: subjects.count, isFollowing: false)
    }

    // MARK: Looks

    /// Whether a look is so recent that its picture will do.
    func hasLooked(within seconds: Double, before time: Double) -> Bool { time - picture.time < seconds }

    /// Adds what was taken from the log.
    mutating func add(_ taken: EventLog.Taken) {
        if tier != .look { measured.add(taken) }
        ledger.note(taken)
    }

    /// Notes a look.
    mutating func note(_ sights: [Inspected.Sight?], at time: Double) {
        // One that began before and ended after another one would have numbers run backwards.
        if time >= picture.time { picture = ledger.note(sights, at: time, tier == .look ? nil : measured.counts) }
    }

    /// The last look, as a viewer wants to have it.
    mutating func snapshot(
        _ selection: Inspector.Selection, of program: Snapshot.Program, for viewer: Viewer?, at time: Double
    ) -> Snapshot {
        sequence += 1
        lastLook = time
        let types = picture.types.filter { selection.matches($0.row) }.map { typed in
            var row = typed.row
            let times = measured.types[typed.key]
            (row.postTimes, row.callTimes, row.waitTimes) = (times?.posts.times, times?.calls.times, times?.waits.times)
            return row
        }.prefix(Inspector.mostTypes)
        let selected = selection.select(picture.observers) { measured.means(of: $0.id) }
        let observers = selected.map { observer in
            var row = observer.row
            let times = measured.observers[observer.id]
            (row.callTimes, row.waitTimes) = (times?.calls.times, times?.waits.times)
            return row
        }
        let posts = measured.trees?.rows(names: subjects.map(\.name), start: start) { ledger.owner(of: $0) } ?? []
        return Snapshot(
            sequence: sequence, time: start + picture.time, program: program, tier: tier,
            tierEnds: tier == .look ? nil : max(0, tierEnds - time), viewers: viewers.count, lost: viewer?.lost ?? 0,
            totals: picture.totals, types: Array(types), observers: observers, ended: picture.ended,
            buses: picture.buses, warnings: picture.warnings, posts: posts,
            omitted: Snapshot.Omitted(
                types: picture.types.count - types.count, observers: picture.observers.count - observers.count,
                posts: measured.followed - posts.count))
    }

    // MARK: Tiers

    /// What is to be done without the lock, as monitors are detached there.
    struct Detachment: Sendable {
        fileprivate var attachments: [MonitorAttachment] = []
        fileprivate var rounds: Task<Void, Never>?

        func detach() {
            rounds?.cancel()
            for attachment in attachments { attachment.detach() }
        }
    }

    /// Begins to measure, or goes on with it for longer.
    ///
    /// - Returns: What to detach, and the number of the measurement if it is a new one.
    mutating func measure(_ tier: Snapshot.Tier, until end: Double, at time: Double) -> (Detachment, started: Int?) {
        // To choose a tier is a look.
        lastLook = time
        tierEnds = end
        if tier == self.tier || isStopped { return (Detachment(), nil) }
        let detachment = stopMeasuring()
        if tier == .look { return (detachment, nil) }
        self.tier = tier
        events = nil
        measured = Measured(subjects: subjects.count, isFollowing: tier == .follow)
        return (detachment, measurement)
    }

    /// Goes back to looking.
    mutating func stopMeasuring() -> Detachment {
        tier = .look
        measured.stopFollowing()
        measurement += 1
        var detachment = detach()
        detachment.rounds = rounds.take()
        return detachment
    }

    /// Keeps the task of a measurement.
    ///
    /// - Returns: Whether it is kept; false if that measurement is over.
    mutating func keep(_ new: Task<Void, Never>, of measurement: Int) -> Bool {
        if measurement == self.measurement { rounds = new }
        return measurement == self.measurement
    }

    /// Stops a measurement whose time is over, or that no viewer looks at any more.
    ///
    /// - Parameters:
    ///   - patience: For how long no viewer must have looked, in seconds.
    ///   - time: The time.
    /// - Returns: What to detach; `nil` if it goes on.
    mutating func stopMeasuringIfDue(_ patience: Double, at time: Double) -> Detachment? {
        let isWatched = !viewers.isEmpty || time - lastLook < patience
        return time < tierEnds && isWatched ? nil : stopMeasuring()
    }

    /// Keeps the attachments of a measurement.
    ///
    /// - Returns: What to detach: they themselves, if that measurement is over.
    mutating func keep(_ new: [MonitorAttachment], of measurement: Int) -> Detachment {
        if measurement != self.measurement { return Detachment(attachments: new) }
        let old = detach()
        attachments = new
        return old
    }

    /// Keeps how many events there were.
    ///
    /// - Returns: How many there had been.
    mutating func exchangeEvents(_ number: Int) -> Int {
        defer { events = number }
        return events ?? number
    }

    /// Whether monitors are attached.
    var isAttached: Bool { !attachments.isEmpty }

    /// Lets go of the attachments.
    mutating func detach() -> Detachment {
        defer { attachments = [] }
        return Detachment(attachments: attachments)
    }

    // MARK: Viewers

    /// Adds a viewer; `nil` if there are enough, and all of them read.
    mutating func addViewer(every interval: Double, limit: Int, at time: Double) -> Viewer? {
        if isStopped { return nil }
        // One that has not read for long is given up for another one.
        if viewers.count >= limit, let slow = viewers.values.min(by: { $0.lastRead < $1.lastRead }),
            time - slow.lastRead > max(Viewer.patience, 3 * slow.interval)
        {
            viewers[slow.id] = nil
        }
        if viewers.count >= limit { return nil }
        lastViewer += 1
        let viewer = Viewer(id: lastViewer, interval: interval, lastRead: time)
        viewers[viewer.id] = viewer
        return viewer
    }

    /// Notes that a viewer reads.
    ///
    /// - Returns: The viewer, with what it has missed; `nil` if it was given up.
    mutating func read(_ viewer: Viewer, at time: Double) -> Viewer? {
        guard viewers[viewer.id] != nil else { return nil }
        var known = viewer
        known.lastRead = time
        viewers[viewer.id] = known
        return known
    }

    mutating func removeViewer(_ id: Int) {
        viewers[id] = nil
    }

    // MARK: The end

    /// What is to be called when the inspector stops.
    private var endings: [@Sendable () -> Void] = []

    /// Has something called when the inspector stops.
    ///
    /// - Returns: Whether it has stopped, so that it will not be called.
    mutating func atStop(_ ending: @escaping @Sendable () -> Void) -> Bool {
        if !isStopped { endings.append(ending) }
        return isStopped
    }

    /// Ends all streams.
    ///
    /// - Returns: What is to be done without the lock.
    mutating func stop() -> (Detachment, [@Sendable () -> Void]) {
        isStopped = true
        viewers = [:]
        defer { endings = [] }
        return (stopMeasuring(), endings)
    }
}

/// Who reads a stream of snapshots.
struct Viewer: Sendable {
    /// How long one that does not read keeps its place, in seconds.
    static let patience = 30.0

    let id: Int
    let interval: Double
    var lastRead: Double
    var lost = 0
}
