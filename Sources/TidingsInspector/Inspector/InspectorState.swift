import Tidings

/// The state of an inspector. A lock protects it, so its methods must not run code of the inspected program.
struct InspectorState: Sendable {
    private let start: Double
    private let subjects: [Inspected]
    private var ledger: Ledger
    private var picture = Picture()
    private var measured: Measured
    private var sequence = 0
    private(set) var tier = InspectorSnapshot.Tier.look
    private var tierEnds = 0.0
    /// A number that changes when a measurement ends. The measurement's task compares it to detect the end.
    private(set) var measurement = 0
    private var attachments: [MonitorAttachment] = []
    private var rounds: Task<Void, Never>?
    private var isPaused = false
    private var events: (count: Int, time: Double, rate: Double)?
    private var eventsOfBuses = 0
    /// If `sampling` is *n*, every *n*th post is followed. `causedLeftOut` counts posts beyond the limit `mostCaused`.
    private var sampling = 1
    private var causedLeftOut = 0
    private var viewers: [Int: Viewer] = [:]
    private var lastViewer = 0
    private var lastLook = 0.0
    var hosts: Set<String> = []
    private(set) var isStopped = false

    init(_ subjects: [Inspected], start: Double, stuckAfter: Double) {
        self.subjects = subjects
        self.start = start
        ledger = Ledger(subjects, start: start, stuckAfter: stuckAfter)
        measured = Measured(subjects: subjects.count, isFollowing: false, began: 0)
    }

    // MARK: Inspections

    func hasLooked(within seconds: Double, before time: Double) -> Bool { time - picture.time < seconds }

    mutating func add(_ taken: EventLog.Taken, origin: ContinuousClock.Instant) {
        if tier != .look { measured.add(taken) }
        for (subject, count) in zip(subjects, taken.counts) where subject.messages != nil {
            eventsOfBuses += (count.posts + count.deliveries) * sampling
        }
        ledger.note(taken, origin: origin)
    }

    mutating func note(_ sights: [Inspected.Sight?], poolBlockedFor blocked: Double?, at time: Double) {
        // A later inspection may already have been recorded, and its newer numbers must stay.
        if time < picture.time { return }
        picture = ledger.note(sights, at: time, tier == .look ? nil : measured, poolBlockedFor: blocked)
    }

    mutating func snapshot(
        _ selection: Inspector.Selection, of program: InspectorSnapshot.Program, for viewer: Viewer?, at time: Double
    ) -> InspectorSnapshot {
        sequence += 1
        lastLook = time
        let types = picture.types.filter { selection.matches($0.row) }.map { typed in
            var row = typed.row
            let times = measured.types[typed.key]
            (row.postTimes, row.callTimes, row.waitTimes) = (times?.posts.times, times?.calls.times, times?.waits.times)
            return row
        }.prefix(Inspector.mostTypes)
        let selected = selection.select(picture.observers, row: \.row) { measured.observers[$0.id]?.means }
        let observers = selected.map { row(of: $0) }
        let stuck = picture.stuck.map { stuck in
            picture.observers.first { $0.row.id == stuck.id }.map { row(of: $0) } ?? stuck
        }
        let chosen = Set(selection.posts.prefix(Inspector.Selection.mostPosts))
        let posts = measured.trees?.listed(surroundings, chosen: chosen) ?? []
        return InspectorSnapshot(
            sequence: sequence, time: start + picture.time, program: program, tier: tier,
            tierEnds: tier == .look ? nil : max(0, tierEnds - time), viewers: viewers.count, lost: viewer?.lost ?? 0,
            totals: picture.totals, types: Array(types), observers: observers, groups: groups(selection),
            owners: picture.owners, stuck: stuck, ended: picture.ended, buses: picture.buses,
            relays: picture.relays, warnings: picture.warnings, posts: posts,
            omitted: InspectorSnapshot.Omitted(
                types: picture.types.count - types.count, observers: picture.observers.count - observers.count,
                posts: max(0, measured.followed - posts.count), causedPosts: tier == .follow ? causedLeftOut : nil),
            followsOnePostIn: tier == .follow ? sampling : nil)
    }

    private func row(of observer: ObserverRow) -> InspectorSnapshot.Observer {
        var row = observer.row
        let times = measured.observers[observer.id]
        (row.callTimes, row.waitTimes) = (times?.calls.times, times?.waits.times)
        return row
    }

    private func groups(_ selection: Inspector.Selection) -> [InspectorSnapshot.Group] {
        var times: [Int: Measured.OfObserver] = [:]
        if tier != .look || !measured.observers.isEmpty {
            for observer in picture.observers {
                if let more = measured.observers[observer.id] { times[observer.group, default: .init()].add(more) }
            }
        }
        let selected = selection.select(picture.groups, row: \.row) { times[$0.number]?.means }
        let listed = Set(selected.map(\.number))
        let growing = picture.groups.lazy.filter { $0.row.isGrowing && !listed.contains($0.number) }.prefix(20)
        return (selected + growing).map { known in
            var row = known.row
            let times = times[known.number]
            (row.callTimes, row.waitTimes) = (times?.calls.times, times?.waits.times)
            return row
        }
    }

    private var surroundings: PostSurroundings {
        PostSurroundings(
            names: subjects.map(\.name), start: start, time: picture.time, standing: { ledger.observers.standing($0) },
            observers: Dictionary(grouping: picture.observers, by: \.key), ended: picture.ended)
    }

    // MARK: Details

    enum Subject: Sendable {
        case observer(String)
        case group(String)
        case type(name: String, center: String)
    }

    private static let mostObservers = 50
    private static let mostCalls = 50
    private static let mostMissed = 20

    func details(of subject: Subject) -> InspectorSnapshot.Details? {
        let group =
            if case .group(let id) = subject { picture.groups.first { $0.row.id == id }?.number } else { nil as Int? }
        let observers = picture.observers.filter { observer in
            switch subject {
            case .observer(let id): observer.row.id == id
            case .group: observer.group == group
            case .type(let name, let center): observer.row.type == name && observer.row.center == center
            }
        }
        var posts = Durations()
        var isKnown = !observers.isEmpty
        if case .type(let name, let center) = subject,
            let type = picture.types.first(where: { $0.row.name == name && $0.row.center == center })
        {
            isKnown = true
            posts = measured.types[type.key]?.posts ?? posts
        }
        if !isKnown { return nil }
        var sum = Measured.OfObserver()
        var calls: [InspectorSnapshot.Call] = []
        for observer in observers {
            guard let times = measured.observers[observer.id] else { continue }
            sum.add(times)
            calls += times.last.reversed().map { $0.row(of: observer.row.id, start: start) }
        }
        let ids = Set(observers.map(\.row.id))
        let surroundings = surroundings
        var looks = PostSurroundings.mostLooks
        var missed: [InspectorSnapshot.MissedPost] = []
        for posted in measured.trees?.newestFirst(PostTrees.most) ?? [] where missed.count < Self.mostMissed {
            let began = posted.end - (posted.post.duration?.inSeconds ?? 0)
            let all = surroundings.missed(by: posted, began: began, isChosen: false, &looks) ?? []
            missed += all.filter { ids.contains($0.observer) }.map {
                InspectorSnapshot.MissedPost(post: "\(posted.post.id)", time: start + began, missed: $0)
            }
        }
        let sorted = observers.sorted { $0.row.waiting > $1.row.waiting }.prefix(Self.mostObservers)
        return InspectorSnapshot.Details(
            observers: sorted.map { row(of: $0) }, omitted: observers.count - sorted.count,
            calls: sum.calls.histogram, waits: sum.waits.histogram, posts: posts.histogram,
            lastCalls: Array(calls.sorted { $0.time ?? 0 > $1.time ?? 0 }.prefix(Self.mostCalls)),
            missed: Array(missed.prefix(Self.mostMissed)))
    }

    // MARK: Tiers

    /// The work to do after the lock is released.
    struct Detachment: Sendable {
        fileprivate var attachments: [MonitorAttachment] = []
        fileprivate var rounds: Task<Void, Never>?

        func detach() {
            rounds?.cancel()
            for attachment in attachments { attachment.detach() }
        }
    }

    mutating func measure(_ tier: InspectorSnapshot.Tier, until end: Double, at time: Double) -> (
        Detachment, started: Int?
    ) {
        lastLook = time
        tierEnds = end
        if tier == self.tier || isStopped { return (Detachment(), nil) }
        let detachment = stopMeasuring()
        if tier == .look { return (detachment, nil) }
        self.tier = tier
        (events, eventsOfBuses) = (nil, 0)
        measured = Measured(subjects: subjects.count, isFollowing: tier == .follow, began: time)
        (sampling, isPaused, causedLeftOut) = (1, false, 0)
        return (detachment, measurement)
    }

    var lastRate: Double { (picture.totals.postsPerSecond ?? 0) + (picture.totals.deliveriesPerSecond ?? 0) }

    mutating func stopMeasuring() -> Detachment {
        tier = .look
        measured.stopFollowing()
        measurement += 1
        var detachment = detach()
        detachment.rounds = rounds.take()
        return detachment
    }

    mutating func keep(_ new: Task<Void, Never>, of measurement: Int) -> Bool {
        if measurement == self.measurement { rounds = new }
        return measurement == self.measurement
    }

    mutating func stopMeasuringIfDue(_ patience: Double, at time: Double) -> Detachment? {
        let isWatched = !viewers.isEmpty || time - lastLook < patience
        return time < tierEnds && isWatched ? nil : stopMeasuring()
    }

    /// Stores new attachments. Returns the attachments to detach: the old ones, or `new` if the measurement is over.
    mutating func keep(_ new: [MonitorAttachment], of measurement: Int) -> Detachment {
        if measurement != self.measurement { return Detachment(attachments: new) }
        let old = detach()
        attachments = new
        return old
    }

    /// Returns the events per second, given the number of events of all centers so far. A result is reused for
    /// `shortest` seconds. The first result of a measurement is ``lastRate``.
    mutating func eventRate(_ number: Int, at time: Double, atLeast shortest: Double) -> Double {
        let all = number + eventsOfBuses
        guard let before = events else {
            events = (all, time, lastRate)
            return lastRate
        }
        if time - before.time < shortest { return before.rate }
        let rate = Double(max(0, all - before.count)) / (time - before.time)
        events = (all, time, rate)
        return rate
    }

    mutating func sample(every interval: Int) -> [MonitorAttachment] {
        sampling = interval
        return attachments
    }

    mutating func noteCausedPosts(leftOut: Int) { causedLeftOut += leftOut }

    mutating func attachments(pausing: Bool, of measurement: Int) -> [MonitorAttachment] {
        if measurement != self.measurement || isPaused == pausing { return [] }
        isPaused = pausing
        return attachments
    }

    mutating func detach() -> Detachment {
        defer { attachments = [] }
        return Detachment(attachments: attachments)
    }

    // MARK: Viewers

    mutating func addViewer(every interval: Double, limit: Int, at time: Double) -> Viewer? {
        if isStopped { return nil }
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

    private var endings: [@Sendable () -> Void] = []

    /// Registers a closure to call when the inspector stops. Returns true if the inspector has already stopped.
    mutating func atStop(_ ending: @escaping @Sendable () -> Void) -> Bool {
        if !isStopped { endings.append(ending) }
        return isStopped
    }

    mutating func stop() -> (Detachment, [@Sendable () -> Void]) {
        isStopped = true
        viewers = [:]
        defer { endings = [] }
        return (stopMeasuring(), endings)
    }
}

struct Viewer: Sendable {
    static let patience = 30.0

    let id: Int
    let interval: Double
    var lastRead: Double
    var lost = 0
}
