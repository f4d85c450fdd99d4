import Tidings

struct PostSurroundings {
    /// The maximum number of observers that `missed` examines for all posts of a snapshot together.
    static let mostLooks = 20_000
    private static let mostMissed = 50

    let names: [String]
    let start: Double
    let time: Double
    let standing: (ObserverDescription.ID) -> ObserverBook.Standing?
    let observers: [TypeKey: [ObserverRow]]
    let ended: [InspectorSnapshot.EndedObserver]

    /// Returns the row of a delivery, or `nil` if the delivery is neither queued nor running.
    func row(of waiting: PostTrees.Waiting) -> InspectorSnapshot.Delivery? {
        guard let number = waiting.number, let standing = standing(waiting.observer.id) else { return nil }
        let isRunning = number == standing.calls.lastNumber && standing.row.running
        let isWaiting = !isRunning && number > standing.left
        guard isWaiting || isRunning else { return nil }
        let running = isWaiting ? nil : standing.row.runningFor
        let waited = max(0, time - waiting.since - (running ?? 0))
        return InspectorSnapshot.Delivery(
            id: "\(waiting.id)", observer: "\(waiting.observer.id)", place: "\(waiting.observer.place)".plain,
            delivery: "\(waiting.observer.delivery)", context: standing.row.owner, inPost: false,
            state: isWaiting ? .waiting : .running, ahead: isWaiting ? number - standing.calls.left - 1 : nil,
            time: start + waiting.since + (isWaiting ? 0 : waited), waited: waited, duration: running)
    }

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
            let isLater = row.since.map { $0 > began } ?? false
            return InspectorSnapshot.Missed(
                observer: row.id, place: row.place, delivery: row.delivery,
                reason: isLater ? .registeredLater : Self.reason(row.sender, refused[observer.id]),
                detail: isLater ? nil : row.sender)
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
        return sender == nil || !refusal.comparesSenders ? .condition : .senderOrCondition
    }

    private func notDelivered(_ waiting: PostTrees.Waiting) -> InspectorSnapshot.Missed? {
        let standing = standing(waiting.observer.id)
        if let number = waiting.number, let standing {
            // A notification that has left the queue without a reported delivery counts as dropped if the observer has
            // dropped any notification.
            let hasLeft = number <= standing.left && number != standing.calls.lastNumber
            guard hasLeft, standing.row.dropped > 0 else { return nil }
        }
        return InspectorSnapshot.Missed(
            observer: "\(waiting.observer.id)", place: "\(waiting.observer.place)".plain,
            delivery: "\(waiting.observer.delivery)",
            reason: waiting.number != nil && standing == nil ? .discarded : .dropped)
    }
}
