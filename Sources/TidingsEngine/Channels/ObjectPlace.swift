/// Where a sender whose static type does not say what it is has its object, if it is one: found out with the first such sender of
/// a type, so that posts need not ask the runtime for the kind of each.
///
/// An existential or an optional that holds an object begins with its address. How the rest is laid out, the ABI says:
///
/// - An existential of a protocol for classes alone is the address and a word for each protocol, and an optional of it, or of a
///   class, is the same, with 0 for `nil`. Every value of such a type is an object, or `nil`.
/// - Any other existential is three words, in the first of which an object lies, and the type of what is in them; then a word for
///   each protocol.
///
/// Neither is taken for granted: a value counts only if its first word was the address of the object that the runtime found in
/// it, and, of four words or more, its fourth one the type of that object. What does not, as the box of an `any Error`, is looked
/// at by casts as before.
@usableFromInline
struct ObjectPlace: ~Copyable {
    /// The type that stands in the fourth word of the last sender that was looked at by casts; 1 if every sender of the type is
    /// an object; 0 if nothing is known.
    @usableFromInline let type = Atomic<UInt>(0)

    @inlinable static var everything: UInt { 1 }

    /// The offset of the type in an existential of four words or more.
    private static var typeOffset: Int { 3 &* MemoryLayout<UInt>.size }

    /// Addresses below this one are those of no object; with optionals in optionals, some of them stand for `nil`.
    @inlinable static var lowest: UInt { 4096 }

    @inlinable
    init() {}

    /// What ``type`` is.
    @inlinable
    @inline(__always)
    var known: UInt { type.load(ordering: .relaxed) }

    /// The address of a sender's object; `nil` if casts have to say what the sender is.
    @inline(__always)
    func address<Sender>(in sender: Sender) -> UInt? {
        let type = type.load(ordering: .relaxed)
        if type == 0 { return nil }
        if type == ObjectPlace.everything {
            // Of one to three words: see `learn`. As a value, the sender need not be retained, nor stored.
            let address = ObjectPlace.firstWord(of: sender)
            return address < ObjectPlace.lowest ? nil : address
        }
        return unsafe withUnsafeBytes(of: sender) { bytes in
            // The first word was an object's address, and so it is again in senders with this fourth word.
            if unsafe bytes.loadUnaligned(fromByteOffset: ObjectPlace.typeOffset, as: UInt.self) != type { return nil }
            let address = unsafe bytes.loadUnaligned(as: UInt.self)
            return address < ObjectPlace.lowest ? nil : address
        }
    }

    /// The first word of a sender of one to three words.
    @inlinable
    @inline(__always)
    static func firstWord<Sender>(of sender: Sender) -> UInt {
        // The sizes are equal, and every bit pattern is a number.
        switch MemoryLayout<Sender>.size {
        case MemoryLayout<UInt>.size: unsafe unsafeBitCast(sender, to: UInt.self)
        case MemoryLayout<(UInt, UInt)>.size: unsafe unsafeBitCast(sender, to: (UInt, UInt).self).0
        case MemoryLayout<(UInt, UInt, UInt)>.size: unsafe unsafeBitCast(sender, to: (UInt, UInt, UInt).self).0
        default: 0
        }
    }

    /// Looks at an existential of four or five words.
    ///
    /// - Parameters:
    ///   - type: What ``type`` is.
    ///   - sender: The sender.
    /// - Returns: The address of its object, if that is of the type; 0 if it is not, and for every other sender.
    @inlinable
    @inline(__always)
    static func address<Sender>(ifOf type: UInt, in sender: Sender) -> UInt {
        // As above.
        switch MemoryLayout<Sender>.size {
        case MemoryLayout<(UInt, UInt, UInt, UInt)>.size:
            let words = unsafe unsafeBitCast(sender, to: (UInt, UInt, UInt, UInt).self)
            return words.3 == type ? words.0 : 0
        case MemoryLayout<(UInt, UInt, UInt, UInt, UInt)>.size:
            let words = unsafe unsafeBitCast(sender, to: (UInt, UInt, UInt, UInt, UInt).self)
            return words.3 == type ? words.0 : 0
        default: return 0
        }
    }

    /// Remembers where an object is.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - sender: The sender that casts have found to be that object.
    func learn<Sender>(_ object: AnyObject, in sender: borrowing Sender) {
        let size = MemoryLayout<Sender>.size
        guard size >= MemoryLayout<UInt>.size else { return }
        unsafe withUnsafeBytes(of: sender) { bytes in
            let address = UInt(bitPattern: ObjectIdentifier(object))
            guard unsafe bytes.loadUnaligned(as: UInt.self) == address else { return }
            if size <= ObjectPlace.typeOffset {
                // No existential that can hold a value is so small, so each sender is an object, or `nil`.
                return type.store(ObjectPlace.everything, ordering: .relaxed)
            }
            guard size >= ObjectPlace.typeOffset + MemoryLayout<UInt>.size else { return }
            let dynamic = UInt(bitPattern: ObjectIdentifier(Swift.type(of: object)))
            let found = unsafe bytes.loadUnaligned(fromByteOffset: ObjectPlace.typeOffset, as: UInt.self)
            if found == dynamic { type.store(dynamic, ordering: .relaxed) }
        }
    }
}

extension TypedChannel {
    /// The address of the object that a sender is, where the static type says so, or what posts have found out; 0 for every other
    /// sender, which casts have to look at.
    ///
    /// - Parameter sender: The sender, which the caller holds.
    /// - Returns: The address.
    @inlinable
    @inline(__always)
    package func knownAddress(of sender: Sender) -> UInt {
        if hasObjectSenders { return TypedChannel.address(of: sender) }
        let place = objectPlace.known
        if place == 0 { return 0 }
        let address =
            place == ObjectPlace.everything
            ? ObjectPlace.firstWord(of: sender) : ObjectPlace.address(ifOf: place, in: sender)
        return address >= ObjectPlace.lowest ? address : 0
    }

    /// Remembers where a sender whose static type does not say what it is has its object.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - sender: The sender that casts have found to be that object.
    package func learn(_ object: AnyObject, in sender: Sender) {
        if case .dynamic = rule { objectPlace.learn(object, in: sender) }
    }
}
