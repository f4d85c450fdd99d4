package import Tidings

/// A table from keys to values. Looking up a stored key writes nothing to shared memory, neither a lock nor a reference
/// count. Values live as long as the table. Once the table is half full, all further keys share one value.
@safe
package final class KeptValues<Key: KeptKey, Value: AnyObject & Sendable>: @unchecked Sendable {  // slots are atomic
    private final class Kept: Sendable {
        let key: Key
        let value: Value

        init(_ key: Key, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    private static var capacity: Int { 2048 }

    private let slots: UnsafeMutablePointer<Atomic<UInt>>
    private let count = Lock(0)
    private let make: @Sendable (Key?) -> Value
    /// The address of the retained value that all keys without a slot share; 0 until the value is created.
    private let others = Atomic<UInt>(0)

    /// Creates a table. `make` creates the value for a key or, without a key, the value that all keys without a slot
    /// share. No lock is held during the call. If two threads create values for the same key, only one value is used.
    package init(make: @escaping @Sendable (Key?) -> Value) {
        self.make = make
        unsafe slots = .allocate(capacity: Self.capacity)
        for index in 0..<Self.capacity { unsafe (slots + index).initialize(to: Atomic(0)) }
    }

    deinit {
        for index in 0..<Self.capacity {
            let word = unsafe slots[index].load(ordering: .acquiring)
            // `insert` has retained the object, and only this `deinit` releases it.
            if let address = unsafe UnsafeRawPointer(bitPattern: word) {
                unsafe Unmanaged<Kept>.fromOpaque(address).release()
            }
        }
        if let address = unsafe UnsafeRawPointer(bitPattern: others.load(ordering: .acquiring)) {
            unsafe Unmanaged<Value>.fromOpaque(address).release()
        }
        unsafe slots.deinitialize(count: Self.capacity)
        unsafe slots.deallocate()
    }

    @inline(__always)
    package func with(_ key: Key, _ body: (Value) -> Void) {
        var index = Self.start(key)
        while true {
            // The load is acquiring, so that the content that `insert` stored is visible.
            let word = unsafe slots[index].load(ordering: .acquiring)
            guard let address = unsafe UnsafeRawPointer(bitPattern: word) else { return body(insert(key)) }
            // The table retains the value, and the caller retains the table.
            let isFound = unsafe Unmanaged<Kept>.fromOpaque(address)._withUnsafeGuaranteedRef { kept in
                let isSame = kept.key == key
                if isSame { body(kept.value) }
                return isSame
            }
            if isFound { return }
            index = (index &+ 1) & (Self.capacity &- 1)
        }
    }

    @inline(__always)
    private static func start(_ key: Key) -> Int {
        // Fibonacci hashing: the high bits of the product scatter adjacent addresses.
        let product = UInt64(truncatingIfNeeded: key.word) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: product >> 32) & (capacity &- 1)
    }

    @inline(never)
    private func insert(_ key: Key) -> Value {
        if count.withLock({ $0 >= Self.capacity / 2 }) { return valueOfOthers }
        let new = Kept(key, make(key))
        let found = count.withLock { count -> Value? in
            var index = Self.start(key)
            while true {
                let word = unsafe slots[index].load(ordering: .relaxed)
                guard let address = unsafe UnsafeRawPointer(bitPattern: word) else { break }
                let kept = unsafe Unmanaged<Kept>.fromOpaque(address).takeUnretainedValue()
                if kept.key == key { return kept.value }
                index = (index + 1) & (Self.capacity - 1)
            }
            // The count is checked again, because other threads may have inserted values in the meantime.
            if count >= Self.capacity / 2 { return nil }
            count += 1
            let address = unsafe UInt(bitPattern: Unmanaged.passRetained(new).toOpaque())
            unsafe slots[index].store(address, ordering: .releasing)
            return new.value
        }
        return found ?? valueOfOthers
    }

    private var valueOfOthers: Value {
        var word = others.load(ordering: .acquiring)
        if word == 0 {
            let made = unsafe Unmanaged.passRetained(make(nil))
            let address = unsafe UInt(bitPattern: made.toOpaque())
            let (isFirst, first) = others.compareExchange(
                expected: 0, desired: address, ordering: .acquiringAndReleasing)
            if !isFirst { unsafe made.release() }
            word = isFirst ? address : first
        }
        // The table retains the value.
        return unsafe Unmanaged<Value>.fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped)
            .takeUnretainedValue()
    }
}

package protocol KeptKey: Equatable, Sendable {
    var word: UInt { get }
}

extension ObserverDescription.ID: KeptKey {
    package var word: UInt { UInt(truncatingIfNeeded: number) }
}

extension NotificationSubject: KeptKey {
    package var word: UInt {
        type.map { UInt(bitPattern: ObjectIdentifier($0)) } ?? UInt(bitPattern: name.hashValue)
    }
}

/// Files are compared by the addresses of their names. A name can have two addresses, so two keys may mean one line.
package struct PlacedSubject: KeptKey {
    package let subject: NotificationSubject
    package let delivery: DeliveryMode?
    package let place: SourcePlace?

    package init(_ subject: NotificationSubject, _ delivery: DeliveryMode? = nil, at place: SourcePlace? = nil) {
        self.subject = subject
        self.delivery = delivery
        self.place = place
    }

    private var file: UInt {
        guard let file = place?.fileID else { return 0 }
        return file.hasPointerRepresentation
            ? unsafe UInt(bitPattern: file.utf8Start) : UInt(file.unicodeScalar.value)
    }

    package var word: UInt {
        subject.word ^ (file &+ (place?.line ?? 0)) &* 31 ^ UInt(delivery?.number ?? 0xFF) &* 0x1_0001
    }

    package static func == (lhs: PlacedSubject, rhs: PlacedSubject) -> Bool {
        lhs.subject == rhs.subject && lhs.delivery == rhs.delivery && lhs.place?.line == rhs.place?.line
            && lhs.file == rhs.file
    }
}
