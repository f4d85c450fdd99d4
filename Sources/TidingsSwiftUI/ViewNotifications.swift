import Tidings

/// The notifications that a view observes. This value is a part of the view, and holds the sender strongly. The
/// observation holds the sender weakly.
@MainActor
struct ViewNotifications<N: NotificationContent> {
    let filter: SenderFilter<N.Sender>
    private let sender: N.Sender?

    /// Starts an observation that ends when the ``ViewObserver`` is deallocated.
    let observe: @MainActor (any TypedNotificationCenter, ViewObserver<N>) -> NotificationToken

    func areLimited(as observed: SenderFilter<N.Sender>) -> Bool {
        guard observed.isLimited, let sender, filter.isLimited else { return observed.isLimited == filter.isLimited }
        return observed.accepts(sender)
    }
}

extension ViewNotifications where N: TypedNotification & Sendable {
    init(of type: N.Type, at place: SourcePlace) {
        filter = .everyone
        sender = nil
        observe = { center, observer in
            center.addObserver(observer, on: .main, for: type, fileID: place.fileID, line: place.line) { me, note in
                me.receive(note)
            }
        }
    }

    init(of type: N.Type, sender: N.Sender?, at place: SourcePlace) where N.Sender: Sendable {
        filter = SenderFilter(sender, of: type)
        self.sender = sender
        observe = { center, observer in
            center.addObserver(
                observer, on: .main, for: type, sender: sender, fileID: place.fileID, line: place.line
            ) { me, note in me.receive(note) }
        }
    }
}

extension ViewNotifications where N: MainActorNotification {
    /// The observer is called during the post. With the initializers above, it is called after the post.
    init(of type: N.Type, sender: N.Sender? = nil, at place: SourcePlace) {
        let filter = SenderFilter(sender, ofMainActor: type)
        self.filter = filter
        self.sender = sender
        observe = { center, observer in
            center.observe(type, sender: filter, for: observer, where: nil, place.fileID, place.line) { me, note in
                me.receive(note)
            }
        }
    }
}
