import Tidings

struct PostCycles: Sendable {
    struct Step: Hashable, Sendable {
        let subject: Int
        let type: NotificationSubject
        let place: SourcePlace?
    }

    struct Cycle: Sendable {
        let steps: [Step]
        var last: Double
    }

    private typealias Known = (step: Step, cause: NotificationPost.ID?)

    /// A cycle exists if a post's type and source line recur at least `fewestReturns` times among its `longestWay`
    /// nearest causes. At most twice `most` posts are stored.
    private static let most = 2048
    private static let longestWay = 32
    private static let fewestReturns = 2
    private static let mostLooks = 64
    private static let mostCycles = 20

    private var known: [NotificationPost.ID: Known] = [:]
    private var older: [NotificationPost.ID: Known] = [:]
    private var new: [(id: NotificationPost.ID, time: Double)] = []
    private(set) var cycles: [Set<Step>: Cycle] = [:]

    mutating func add(_ post: NotificationPost, of subject: Int, at time: Double) {
        if known.count >= Self.most { (older, known) = (known, [:]) }
        let step = Step(subject: subject, type: post.subject, place: post.place)
        known[post.id] = (step, post.cause?.post)
        if post.cause == nil { return }
        if new.count >= 2 * Self.mostLooks { new.removeFirst(Self.mostLooks) }
        new.append((post.id, time))
    }

    mutating func look() {
        for (id, time) in new.suffix(Self.mostLooks) {
            guard let steps = cycle(from: id) else { continue }
            let key = Set(steps)
            if cycles[key] == nil, cycles.count >= Self.mostCycles { continue }
            cycles[key] = Cycle(steps: cycles[key]?.steps ?? steps, last: time)
        }
        new = []
    }

    private func post(_ id: NotificationPost.ID) -> Known? { known[id] ?? older[id] }

    private func cycle(from id: NotificationPost.ID) -> [Step]? {
        guard let first = post(id) else { return nil }
        var steps = [first.step]
        var (period, returns) = (0, 0)
        var next = first.cause
        for length in 1...Self.longestWay {
            guard let id = next, let known = post(id) else { return nil }
            if known.step == first.step {
                returns += 1
                if period == 0 { period = length }
                if returns == Self.fewestReturns { return steps.prefix(period).reversed() }
            }
            steps.append(known.step)
            next = known.cause
        }
        return nil
    }
}
