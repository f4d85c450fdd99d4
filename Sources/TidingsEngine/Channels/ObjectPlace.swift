/// Records where in a sender's memory the address of its object is, for a sender type whose values may or may not be
/// objects, such as `Any`. The first sender that is an object is examined, so that later posts don't query the runtime.
///
/// An existential or optional that holds an object begins with the object's address. The ABI defines the rest:
///
/// - An existential of a class-constrained protocol is the address and a word for each protocol. An optional of such an
///   existential, or of a class, has the same layout, with 0 for `nil`. Every value of such a type is an object or
///   `nil`.
/// - Any other existential has a buffer of three words, followed by the type of its value and a word for each protocol.
///   If the value is an object, the first word of the buffer is its address.
///
/// The first word of a type's values is only used after one value has confirmed the layout: casts found an object in
/// the value, the first word was the object's address, and the fourth word, if any, was the object's type. Values with
/// another layout, and every `any Error`, are always examined by casts.
@usableFromInline
struct ObjectPlace: ~Copyable {
    /// 0 until a sender that is an object has confirmed the layout. The value then depends on the size of senders. If
    /// they have a fourth word, the value is the class of that object: the fourth word of each sender that holds an
    /// object of this class. If they don't, each sender is an object or `nil`, and the value is ``everything``.
    @usableFromInline let type = Atomic<UInt>(0)

    @inlinable static var everything: UInt { 1 }

    private static var typeOffset: Int { 3 &* MemoryLayout<UInt>.size }

    /// No object has an address below this one. Some of the smaller values stand for `nil` in nested optionals.
    @inlinable static var lowest: UInt { 4096 }

    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    var known: UInt { type.load(ordering: .relaxed) }

    @inline(__always)
    func address<Sender>(in sender: Sender) -> UInt? {
        let type = type.load(ordering: .relaxed)
        if type == 0 { return nil }
        if type == ObjectPlace.everything {
            // The sender has one to three words; see `learn`. Passed as a value, it is neither retained nor stored.
            let address = ObjectPlace.firstWord(of: sender)
            return address < ObjectPlace.lowest ? nil : address
        }
        return unsafe withUnsafeBytes(of: sender) { bytes in
            // In every sender with this fourth word, the first word is the address of an object.
            if unsafe bytes.loadUnaligned(fromByteOffset: ObjectPlace.typeOffset, as: UInt.self) != type { return nil }
            let address = unsafe bytes.loadUnaligned(as: UInt.self)
            return address < ObjectPlace.lowest ? nil : address
        }
    }

    @inlinable
    @inline(__always)
    static func firstWord<Sender>(of sender: Sender) -> UInt {
        // The sizes are equal, and every bit pattern is a valid integer.
        switch MemoryLayout<Sender>.size {
        case MemoryLayout<UInt>.size: unsafe unsafeBitCast(sender, to: UInt.self)
        case MemoryLayout<(UInt, UInt)>.size: unsafe unsafeBitCast(sender, to: (UInt, UInt).self).0
        case MemoryLayout<(UInt, UInt, UInt)>.size: unsafe unsafeBitCast(sender, to: (UInt, UInt, UInt).self).0
        default: 0
        }
    }

    /// The object's address, if the sender has four or five words and the fourth word is `type`; 0 for every other
    /// sender.
    @inlinable
    @inline(__always)
    static func address<Sender>(ifOf type: UInt, in sender: Sender) -> UInt {
        // The sizes are equal, and every bit pattern is a valid integer.
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

    /// Records the place of `object`, which the caller has found in `sender` by casts.
    func learn<Sender>(_ object: AnyObject, in sender: borrowing Sender) {
        let size = MemoryLayout<Sender>.size
        guard size >= MemoryLayout<UInt>.size else { return }
        unsafe withUnsafeBytes(of: sender) { bytes in
            let address = UInt(bitPattern: ObjectIdentifier(object))
            guard unsafe bytes.loadUnaligned(as: UInt.self) == address else { return }
            if size <= ObjectPlace.typeOffset {
                // `any Error` is the only existential this small that can hold a structure, which is then in a box. On
                // Apple's systems, an `NSError` has no box. If its place were recorded, the address of a later sender's
                // box would be taken for the address of an object.
                if object is any Error { return }
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
    /// The address of the sender's object; 0 if only casts can detect an object. The caller holds the sender.
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

    package func learn(_ object: AnyObject, in sender: Sender) {
        if case .dynamic = rule { objectPlace.learn(object, in: sender) }
    }
}
