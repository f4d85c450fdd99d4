import Tidings

/// What the observers of the center are told of a row that was committed.
struct CenterAnnouncement<N: RemoteNotification>: Announcement {
    let notification: N
    let place: SourcePlace
    let core: OutboxCore

    var name: String { N.wireName }

    /// Only the native center can say that nobody would hear of it.
    private func isObserved(_ type: any TypedNotification.Type) -> Bool { core.native?.mayBeObserved(type) ?? true }

    var isWanted: Bool { isObserved(N.self) || isObserved(StoredNotification<N>.self) }

    func post(row: Int64) {
        if isObserved(StoredNotification<N>.self) {
            core.center.post(StoredNotification(notification, id: "\(core.identity)-\(row)"), from: place)
        }
        if let post = core.relays[N.wireName] {
            // To all but the relay, which takes it from the table.
            post(notification, core.center, place)
        } else {
            core.center.post(notification, from: place)
        }
    }
}
