import Tidings

/// The notifications that a view asks for: of one type, from every sender or from one.
///
/// It is a part of the view's value, which holds the sender as it holds other values. An observation holds it weakly.
@MainActor
struct ViewNotifications<N: NotificationContent> {
    let filter: SenderFilter<N.Sender>
    private let sender: N.Sender?

    /// Makes an observer call a ``ViewObserver``, on the main actor, for as long as that lives.
    let observe: @MainActor (any TypedNotificationCenter, ViewObserver<N>) -> NotificationToken

    /// Whether they are limited to the sender to which an observation is.
    func areLimited(as observed: SenderFilter<N.Sender>) -> Bool {
        guard observed.isLimited, let sender, filter.isLimited else { return observed.isLimited == filter.isLimited }
        return observed.accepts(sender)
    }
}

extension ViewNotifications where N: TypedNotification & Sendable {
    /// The notifications of a type, each some time after its post.
    init(of type: N.Type, at place: SourcePlace) {
        filter = .everyone
        sender = nil
        observe = { center, observer in
            center.addObserver(observer, on: .main, for: type, fileID: place.fileID, line: place.line) { me, note in
                me.receive(note)
            }
        }
    }

    /// The notifications of a type from one sender, each some time after its post.
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
    /// The main-actor notifications of a type from one sender, or from every sender if it is `nil`, each in its post.
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
