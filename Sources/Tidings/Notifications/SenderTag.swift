enum SenderTag {
    case none
    case object(AnyObject)
    case value(hash: Int)
}

extension NotificationContent {
    static func tag(of sender: Sender) -> SenderTag {
        switch senderComparison.rule {
        case .none: .none
        // Only classes have this rule, so the sender is a single reference.
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
    var tag: Int? {
        if let sender = limit?.object { return Int(bitPattern: sender.address) }
        return switch target {
        case nil, .unmatched: nil
        case .value(_, let hash, _): hash
        case .key(let sender): sender.hashValue
        }
    }

    var senderObject: SenderObject? { limit?.object }
}
