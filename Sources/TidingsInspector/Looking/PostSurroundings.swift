import Tidings

/// What has to be known beside a post to say what became of it: how its observers stand, and who has ended.
struct PostSurroundings {
    /// How many observers are looked at in all, to say of the posts of a snapshot who was not called.
    static let mostLooks = 20_000
    private static let mostMissed = 50

    /// The names of the centers and buses, when the inspector's clock was at zero, and the time of the look.
    let names: [String]
    let start: Double
    let time: Double

    /// How an observer stands.
    let standing: (ObserverDescription.ID) -> Ledger.Standing?

    /// The observers of each type.
    let observers: [TypeKey: [Ledger.ObserverRow]]

    /// The observers that have ended, the last one first.
    let ended: [InspectorSnapshot.EndedObserver]

    /// A delivery that waits, or whose call is running; `nil` for one that is over: it was dropped, or discarded, or nobody was told.
    func row(of waiting: PostTrees.Waiting) -> InspectorSnapshot.Delivery? {
        guard let number = waiting.number, let standing = standing(waiting.observer.id) else { return nil }
        let isWaiting = number > standing.left
        guard isWaiting || number == standing.left && standing.row.running else { return nil }
        let running = isWaiting ? nil : standing.row.runningFor
        let waited = max(0, time - waiting.since - (running ?? 0))
        return InspectorSnapshot.Delivery(
            id: "\(waiting.id)", observer: "\(waiting.observer.id)", place: "\(waiting.observer.place)".plain,
            delivery: "\(waiting.observer.delivery)", context: standing.row.owner, inPost: false,
            state: isWaiting ? .waiting : .running, ahead: isWaiting ? number - standing.left - 1 : nil,
            time: start + waiting.since + (isWaiting ? 0 : waited), waited: waited, duration: running)
    }

    /// Who observes the type of a post and was not called, and why; `nil` if that cannot be said, or was not looked for.
    func missed(
        by posted: PostTrees.Posted, began: Double, isChosen: Bool, _ looks: inout Int
    ) -> [InspectorSnapshot.Missed]? {
        if posted.known.isIncomplete { return nil }
        let all = observers[TypeKey(subject: posted.subject, type: posted.post.subject)] ?? []
        looks -= all.count + posted.known.refused.count
        if looks < 0, !isChosen { return nil }
        let refused = Dictionary(posted.known.refused.map { ($0.id, $0) }) { first, _ in first }
        let began = start + began
        var missed = all.compactMap { observer -> InspectorSnapshot.Missed? in
            if posted.known.called.contains(observer.id) { return nil }
            let row = observer.row
            if let since = row.since, since > began { return Self.missed(row, .registeredLater) }
            return Self.missed(row, Self.reason(row.sender, refused[observer.id]), row.sender)
        }
        let living = Set(missed.map(\.observer))
        let name = posted.post.subject.name.plainName
        for gone in ended where gone.type == name && gone.center == names[posted.subject] && !living.contains(gone.id) {
            guard !posted.known.called.contains(where: { "\($0)" == gone.id }) else { continue }
            let refusal = posted.known.refused.first { "\($0.id)" == gone.id }
            let reason = gone.time <= began ? InspectorSnapshot.Missed.Reason.ended : Self.reason(gone.sender, refusal)
            missed.append(
                InspectorSnapshot.Missed(
                    observer: gone.id, place: gone.place, delivery: gone.delivery, reason: reason,
                    detail: reason == .ended ? gone.reason : gone.sender))
        }
        missed += posted.known.waiting.compactMap { notDelivered($0) }
        return Array(missed.prefix(Self.mostMissed))
    }

    private static func reason(_ sender: String?, _ refusal: ObserverDescription?) -> InspectorSnapshot.Missed.Reason {
        guard let refusal else { return sender == nil ? .unknown : .anotherSender }
        // Where the center does not compare senders itself, as Foundation's does not, a refusal may be about either.
        return sender == nil || refusal.isLimitedToSender ? .condition : .senderOrCondition
    }

    private static func missed(
        _ row: InspectorSnapshot.Observer, _ reason: InspectorSnapshot.Missed.Reason, _ detail: String? = nil
    ) -> InspectorSnapshot.Missed {
        InspectorSnapshot.Missed(
            observer: row.id, place: row.place, delivery: row.delivery, reason: reason, detail: detail)
    }

    /// A notification that the observer has taken into its queue, and was not called with.
    private func notDelivered(_ waiting: PostTrees.Waiting) -> InspectorSnapshot.Missed? {
        let reason: InspectorSnapshot.Missed.Reason
        if let number = waiting.number {
            guard let standing = standing(waiting.observer.id) else { return missed(waiting, .discarded) }
            // Of one that has left the queue, and of which no end was told, the policy is to blame, if it drops at all.
            guard number < standing.left, standing.row.dropped > 0 else { return nil }
            reason = .dropped
        } else {
            reason = .dropped
        }
        return missed(waiting, reason)
    }

    private func missed(_ waiting: PostTrees.Waiting, _ reason: InspectorSnapshot.Missed.Reason)
        -> InspectorSnapshot.Missed
    {
        InspectorSnapshot.Missed(
            observer: "\(waiting.observer.id)", place: "\(waiting.observer.place)".plain,
            delivery: "\(waiting.observer.delivery)", reason: reason)
    }
}
