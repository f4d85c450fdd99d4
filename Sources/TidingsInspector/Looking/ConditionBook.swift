import Tidings

struct ConditionBook: Sendable {
    /// A warning is given if calls of observers use at least this share of the main actor's time for this many seconds.
    private static let busyMainActor = (seconds: 3.0, share: 0.9)

    private let subjects: [Inspected]
    private let start: Double
    private var mainActorBusySince: Double?

    init(_ subjects: [Inspected], start: Double) {
        self.subjects = subjects
        self.start = start
    }

    mutating func note(
        _ picture: Picture, _ measured: Measured?, poolBlockedFor blocked: Double?, at time: Double,
        _ warnings: inout WarningBook
    ) {
        notePool(picture, blocked, at: time, &warnings)
        noteMainActor(picture, at: time, &warnings)
        if let measured {
            noteCycles(measured, picture, at: time, &warnings)
        } else {
            warnings.recover(.postCycle, at: start + time)
        }
    }

    private func notePool(_ picture: Picture, _ blocked: Double?, at time: Double, _ warnings: inout WarningBook) {
        guard let blocked else { return warnings.note(.blockedPool, nil, at: start + time) }
        let running = picture.observers.map(\.row).filter { row in
            row.running && [DeliveryMode.actor, .task].map { "\($0)" }.contains(row.delivery)
        }
        .sorted { $0.runningFor ?? 0 > $1.runningFor ?? 0 }
        let waiting = picture.observers.count { $0.row.waiting > 0 && !$0.row.running }
        let waits = waiting == 1 ? "1 observer waits for it" : "\(waiting) observers wait for it"
        let who =
            running.isEmpty
            ? "no observer is running in it, so other tasks occupy it"
            : "calls that run in it: " + running.prefix(4).map { "\($0.type) at \($0.place)" }.joined(separator: ", ")
        let text = "the cooperative thread pool has started no work for \(blocked.roundedSeconds), and \(waits); \(who)"
        warnings.note(
            .blockedPool, text, in: running.first?.center ?? "", observer: running.first?.id,
            place: running.first?.place, at: start + time)
    }

    private mutating func noteMainActor(_ picture: Picture, at time: Double, _ warnings: inout WarningBook) {
        let rows = picture.observers.map(\.row).filter { row in
            [DeliveryMode.mainActor, .inPostOnMainActor].map { "\($0)" }.contains(row.delivery) && row.busy ?? 0 > 0.01
        }
        let share = rows.reduce(0) { $0 + ($1.busy ?? 0) }
        guard share >= Self.busyMainActor.share else {
            mainActorBusySince = nil
            return warnings.note(.busyMainActor, nil, at: start + time)
        }
        let since = mainActorBusySince ?? time
        mainActorBusySince = since
        if time - since < Self.busyMainActor.seconds { return }
        let busiest = rows.sorted { $0.busy ?? 0 > $1.busy ?? 0 }
        let who = busiest.prefix(4).map { row in
            "\(row.type) at \(row.place) (\(Int((100 * (row.busy ?? 0)).rounded())) %)"
        }
        let text =
            "calls of observers have kept the main actor busy for \((time - since).roundedSeconds): "
            + who.joined(separator: ", ")
        warnings.note(
            .busyMainActor, text, in: busiest[0].center, observer: busiest[0].id, place: busiest[0].place,
            at: start + time)
    }

    private func noteCycles(_ measured: Measured, _ picture: Picture, at time: Double, _ warnings: inout WarningBook) {
        var found: Set<String> = []
        for cycle in measured.cycles.cycles.values where time - cycle.last < 3 {
            let steps = cycle.steps
            guard let first = steps.first else { continue }
            let about = steps.map { "\($0.type.name) \($0.place.map { "\($0)" } ?? "")" }.sorted().joined(
                separator: " ")
            found.insert(about)
            let key = TypeKey(subject: first.subject, type: first.type)
            let rate = picture.types.first { $0.key == key }?.row.postsPerSecond
            let rates = rate.map { ", \($0.roundedCount) times a second" } ?? ""
            let places = steps.compactMap { $0.place?.plain }
            let names = (steps + [first]).map { $0.type.name.plainName }.joined(separator: " causes ")
            let text =
                "posts cause each other in a cycle: \(names)\(rates), posted at \(places.joined(separator: " and "))"
            warnings.note(
                .postCycle, about: about, text, in: subjects[first.subject].name, place: places.first, at: start + time)
        }
        // A new measurement has no cycles, so the warnings about cycles of earlier measurements end here, too.
        warnings.recover(.postCycle, except: found, at: start + time)
    }
}
