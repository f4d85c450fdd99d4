import Tidings

func descriptionOfSender(_ sender: Any) -> String? {
    if sender is Void { return nil }
    let mirror = Mirror(reflecting: sender)
    if mirror.displayStyle == .optional { return mirror.children.first.flatMap { descriptionOfSender($0.value) } }
    guard type(of: sender) is AnyObject.Type else { return String(describing: sender) }
    let address = UInt(bitPattern: ObjectIdentifier(sender as AnyObject))
    return "\(type(of: sender)) at 0x\(String(address, radix: 16))"
}

func numberedLines<Element: CustomStringConvertible>(_ elements: [Element]) -> [String] {
    if elements.isEmpty { return ["  none"] }
    let lines = elements.prefix(50).enumerated().map { "  \($0.offset + 1). \($0.element)" }
    return elements.count > 50 ? lines + ["  … and \(elements.count - 50) more"] : lines
}
