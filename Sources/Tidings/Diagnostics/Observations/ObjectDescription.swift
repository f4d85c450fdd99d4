/// An object in words: its type and its address, which ask nothing of the object itself.
func describe(_ object: AnyObject) -> String { describe(type(of: object), at: ObjectIdentifier(object)) }

/// An object in words that may be gone, or may not be looked at here.
func describe(_ type: Any.Type, at identity: ObjectIdentifier) -> String {
    "\(QualifiedTypeName(type).path) (0x\(String(UInt(bitPattern: identity), radix: 16)))"
}

extension SenderFilter {
    /// The sender in words; `nil` for every sender. A value describes itself, so the caller is where it may be used.
    package var words: String? {
        switch target {
        case .everyone: nil
        case .object(let sender): describe(sender.type, at: sender.identity)
        case .value(let sender, _): String(describing: sender)
        case .key(let sender): String(describing: sender.base)
        case .unmatched: "a sender that is the same as no other"
        }
    }
}
