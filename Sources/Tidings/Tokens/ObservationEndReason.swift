/// Why an observation has ended.
@nonexhaustive
public enum ObservationEndReason: Hashable, Sendable {
    /// It was cancelled, by its token or its handle.
    case cancelled

    /// Its token, or its sequence, was released.
    case tokenReleased

    /// The object to which it was tied is gone.
    case ownerGone

    /// The sender to which it was limited is gone.
    case senderGone

    /// The center is gone, or the bus.
    case centerGone

    /// The center has finished: see ``TypedNotificationCenter/finish(within:clock:)``.
    case centerFinished

    /// The reason as the engine knows it.
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
    /// The reason in few words, such as "owner gone".
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
