/// A sender as text.
enum SenderText {
    /// Describes a sender.
    ///
    /// - Returns: For an object its type and address; for a value the value; `nil` for none.
    static func describe(_ sender: Any) -> String? {
        if sender is Void { return nil }
        let mirror = Mirror(reflecting: sender)
        if mirror.displayStyle == .optional { return mirror.children.first.flatMap { describe($0.value) } }
        guard type(of: sender) is AnyObject.Type else { return String(describing: sender) }
        let address = UInt(bitPattern: ObjectIdentifier(sender as AnyObject))
        return "\(type(of: sender)) at 0x\(String(address, radix: 16))"
    }
}
