/// An object in words: its type and its address, which ask nothing of the object itself.
func describe(_ object: AnyObject) -> String {
    let address = UInt(bitPattern: ObjectIdentifier(object))
    return "\(QualifiedTypeName(type(of: object)).path) (0x\(String(address, radix: 16)))"
}
