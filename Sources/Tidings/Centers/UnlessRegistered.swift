extension TypedNotificationCenter {
    /// A wrapper of this center that registers an observer only if its owner has no active observer that was registered
    /// at the same line, for the same type and sender.
    ///
    /// Code that may run several times, such as `viewWillAppear`, registers once:
    ///
    /// ```swift
    /// func viewWillAppear() {
    ///     center.unlessRegistered.addObserver(self, on: .main, for: EpisodeAdded.self) { me, note in me.show(note) }
    /// }
    /// ```
    ///
    /// If there is already such an observer, it stays, and `addObserver` returns another token for it. Observers
    /// without an owner are registered as usual. If your own center forwards to no center of this package, it
    /// registers all observers as usual. If two threads call `addObserver` for one owner at the same time, both may
    /// register an observer, so call `addObserver` in the owner's isolation.
    @export(implementation)
    public var unlessRegistered: any TypedNotificationCenter { UnlessRegistered(base: self) }
}

@usableFromInline
struct UnlessRegistered<Base: TypedNotificationCenter>: TypedNotificationCenter {
    let base: Base

    @usableFromInline
    init(base: Base) { self.base = base }

    @usableFromInline var underlyingCenter: (any TypedNotificationCenter)? { base }

    @usableFromInline
    func post<N: TypedNotification>(_ notification: N, from place: SourcePlace) -> Int {
        base.post(notification, from: place)
    }

    @usableFromInline
    func observe<N: TypedNotification>(
        _ type: N.Type, sender: SenderFilter<N.Sender>, registration: ObserverRegistration,
        using observer: @escaping @Sendable (N) -> Void
    ) -> any ObserverHandle {
        if let owner = registration.owner?.living {
            let subject = NotificationSubject(type)
            let all = base.observers(of: owner).filter {
                $0.type == subject && $0.isFrom(registration) && $0.isLimited(exactlyTo: sender.limit)
            }
            if var known = all.first {
                // On Foundation's center, an observer of a notification family has a registration for each name.
                var names: [NotificationSubject] = []
                for one in all where !names.contains(one.subject) {
                    if !names.isEmpty { known.entries += one.entries }
                    names.append(one.subject)
                }
                known.registrar = Base.self is AnyObject.Type ? ObjectIdentifier(base as AnyObject) : nil
                return known
            }
        }
        return base.observe(type, sender: sender, registration: registration, using: observer)
    }
}
