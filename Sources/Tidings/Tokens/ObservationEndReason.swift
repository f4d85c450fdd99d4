/// The reason why an observation has ended.
@nonexhaustive
public enum ObservationEndReason: Hashable, Sendable {
    /// The observation was cancelled, for example by its token, its handle or `removeObservers(of:)`.
    case cancelled

    /// The token or the sequence of the observation was released.
    case tokenReleased

    /// The owner to which the observation was tied has been deallocated.
    case ownerGone

    /// The sender to which the observer was limited has been deallocated.
    case senderGone

    /// The center or the bus has been deallocated.
    case centerGone

    /// The center has finished; see ``TypedNotificationCenter/finish(within:clock:)``.
    case centerFinished

    package var entryEnd: EntryEnd {
        switch self {
        case .cancelled: .cancelled
        case .tokenReleased: .released
        case .ownerGone: .ownerGone
        case .senderGone: .senderGone
        case .centerGone: .closed
        case .centerFinished: .finished
        }
    }

    package init(_ end: EntryEnd) {
        self =
            switch end {
            case .cancelled: .cancelled
            case .released: .tokenReleased
            case .ownerGone: .ownerGone
            case .senderGone: .senderGone
            case .closed: .centerGone
            case .finished: .centerFinished
            }
    }
}

extension ObservationEndReason: CustomStringConvertible {
    /// A short phrase, such as "owner gone".
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .tokenReleased: "token released"
        case .ownerGone: "owner gone"
        case .senderGone: "sender gone"
        case .centerGone: "center gone"
        case .centerFinished: "center finished"
        }
    }
}
