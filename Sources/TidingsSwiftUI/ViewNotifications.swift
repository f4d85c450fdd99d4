import Tidings

/// The notifications that a view observes: those of one type, with or without a sender.
///
/// It is part of the view's value, which holds the sender like any other value. An observation holds it weakly.
@MainActor
struct ViewNotifications<N: NotificationContent> {
    let filter: SenderFilter<N.Sender>
    private let sender: N.Sender?

    /// Registers an observer that calls a ``ViewObserver`` on the main actor, for as long as that object is alive.
    let observe: @MainActor (any TypedNotificationCenter, ViewObserver<N>) -> NotificationToken

    /// Returns whether the notifications are limited to the same sender as an observation.
    func areLimited(as observed: SenderFilter<N.Sender>) -> Bool {
        guard observed.isLimited, let sender, filter.isLimited else { return observed.isLimited == filter.isLimited }
        return observed.accepts(sender)
    }
}

extension ViewNotifications where N: TypedNotification & Sendable {
    /// Creates the notifications of a type, each delivered after its post.
    init(of type: N.Type, at place: SourcePlace) {
        filter = .everyone
        sender = nil
        observe = { center, observer in
            center.addObserver(observer, on: .main, for: type, fileID: place.fileID, line: place.line) { me, note in
                me.receive(note)
            }
        }
    }

    /// Creates the notifications of a type from one sender, each delivered after its post.
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
    /// Creates the main-actor notifications of a type from one sender, or without a limit if it is `nil`, each
    /// delivered in its post.
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
