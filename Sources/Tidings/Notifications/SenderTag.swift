/// What a sender is found by among others.
enum SenderTag {
    /// Nothing: there is no sender, or it can be compared with no other.
    case none
    /// The object that the sender is.
    case object(AnyObject)
    /// The hash of a value. Different values may have the same.
    case value(hash: Int)
}

extension NotificationContent {
    /// What a sender is found by among others.
    static func tag(of sender: Sender) -> SenderTag {
        switch senderComparison.rule {
        case .none: .none
        // The rule is for classes, so the sender is one reference.
        case .identity: .object(unsafe unsafeBitCast(sender, to: AnyObject.self))
        case .equality(let hash, _): .value(hash: hash(sender))
        case .dynamic(let key):
            switch key(sender) {
            case .none, .unmatched: .none
            case .object(let object): .object(object)
            case .value(let value): .value(hash: value.hashValue)
            }
        }
    }
}

extension SenderFilter {
    /// The number by which the sender is found among others: the address of an object, or the hash of a value; `nil` for every
    /// sender, and for one that can be compared with no other.
    var tag: Int? {
        switch target {
        case nil, .unmatched: nil
        case .object(let sender): Int(bitPattern: sender.address)
        case .value(_, let hash, _): hash
        case .key(let sender): sender.hashValue
        }
    }

    /// The sender, if it is an object, dead or alive.
    var senderObject: SenderObject? { limit?.object }
}
