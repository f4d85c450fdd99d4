struct CenterAnnouncement<N: RemoteNotification>: Announcement {
    let notification: N
    let place: SourcePlace
    let core: OutboxCore

    var name: String { N.wireName }

    private func isObserved(_ type: any TypedNotification.Type) -> Bool { core.native?.mayBeObserved(type) ?? true }

    var isWanted: Bool { isObserved(N.self) || isObserved(StoredNotification<N>.self) }

    func post(row: Int64) {
        if isObserved(StoredNotification<N>.self) {
            core.center.post(StoredNotification(notification, id: "\(core.identity)-\(row)"), from: place)
        }
        if let post = core.relays.withLock({ [name] in $0.posts[name] }) {
            // The relay reads the row from the table, so the relay's own observer is excluded from the post.
            post(notification, core.center, place)
        } else {
            core.center.post(notification, from: place)
        }
    }
}
