extension NotificationContent {
    /// The number by which a sender is found among others: the address of an object, or the hash of a value. Different senders
    /// may have the same.
    ///
    /// - Parameter sender: The sender.
    /// - Returns: The number; `nil` for no sender, and for one that can be compared with no other.
    static func tag(of sender: Sender) -> Int? {
        switch senderComparison.rule {
        case .none: nil
        case .identity: object(of: sender).map { Int(bitPattern: ObjectIdentifier($0)) }
        case .equality(let hash, _): hash(sender)
        case .dynamic(let key):
            switch key(sender) {
            case .none, .unmatched: nil
            case .object(let object): Int(bitPattern: ObjectIdentifier(object))
            case .value(let value): value.hashValue
            }
        }
    }

    /// The object that a sender is; `nil` for a value, and for no sender.
    static func object(of sender: Sender) -> AnyObject? {
        switch senderComparison.rule {
        case .none, .equality: nil
        // The rule is for classes, so the sender is one reference.
        case .identity: unsafe unsafeBitCast(sender, to: AnyObject.self)
        case .dynamic(let key): if case .object(let object) = key(sender) { object } else { nil }
        }
    }
}

extension SenderFilter {
    /// The number by which the sender is found among others, as ``NotificationContent/tag(of:)`` has it; `nil` for every sender,
    /// and for one that can be compared with no other.
    var tag: Int? {
        switch limit?.target {
        case nil, .unmatched: nil
        case .object(let sender): Int(bitPattern: sender.address)
        case .value(_, let hash, _): hash
        case .key(let sender): sender.hashValue
        }
    }

    /// Whether the sender is an object, dead or alive.
    var isObject: Bool { if case .object = limit?.target { true } else { false } }

    /// The sender, if it is an object that is alive.
    var object: AnyObject? { if case .object(let sender) = limit?.target { sender.object } else { nil } }
}
