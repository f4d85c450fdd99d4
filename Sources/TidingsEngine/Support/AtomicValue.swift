public import CTidingsSystem

/// The orders that a load may have.
@usableFromInline
package struct AtomicLoadOrdering {
    @usableFromInline let rawValue: Int32

    @inlinable
    @_transparent
    init(_ rawValue: Int32) { self.rawValue = rawValue }

    @inlinable @_transparent package static var relaxed: Self { Self(Int32(tidings_relaxed)) }
    @inlinable @_transparent package static var acquiring: Self { Self(Int32(tidings_acquiring)) }
    @inlinable @_transparent package static var sequentiallyConsistent: Self {
        Self(Int32(tidings_sequentially_consistent))
    }
}

/// The orders that a store may have.
@usableFromInline
package struct AtomicStoreOrdering {
    @usableFromInline let rawValue: Int32

    @inlinable
    @_transparent
    init(_ rawValue: Int32) { self.rawValue = rawValue }

    @inlinable @_transparent package static var relaxed: Self { Self(Int32(tidings_relaxed)) }
    @inlinable @_transparent package static var releasing: Self { Self(Int32(tidings_releasing)) }
    @inlinable @_transparent package static var sequentiallyConsistent: Self {
        Self(Int32(tidings_sequentially_consistent))
    }
}

/// The orders that a step that reads and writes may have.
@usableFromInline
package struct AtomicUpdateOrdering {
    @usableFromInline let rawValue: Int32

    @inlinable
    @_transparent
    init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// Steps on other variables may be seen in another order.
    @inlinable @_transparent package static var relaxed: Self { Self(Int32(tidings_relaxed)) }
    /// What the thread does behind it is done behind it, and sees what came before the releasing step whose value it read.
    @inlinable @_transparent package static var acquiring: Self { Self(Int32(tidings_acquiring)) }
    /// What the thread did before it is seen by who reads the value with an acquiring step.
    @inlinable @_transparent package static var releasing: Self { Self(Int32(tidings_releasing)) }
    /// Both.
    @inlinable @_transparent package static var acquiringAndReleasing: Self {
        Self(Int32(tidings_acquiring_and_releasing))
    }
    /// Both, and in one order with all other steps that are.
    @inlinable @_transparent package static var sequentiallyConsistent: Self {
        Self(Int32(tidings_sequentially_consistent))
    }
}

/// A sequentially consistent fence between what the calling thread does before and behind it.
@inlinable
@_transparent
package func atomicMemoryFence(ordering: AtomicFenceOrdering) { tidings_fence_thread() }

/// The order that a fence has.
@usableFromInline
package enum AtomicFenceOrdering {
    case sequentiallyConsistent
}

/// What a word holds that threads share.
@usableFromInline
package protocol AtomicValue {
    init(atomicWord: UInt64)
    var atomicWord: UInt64 { get }
}

extension Int: AtomicValue {
    @inlinable @_transparent package init(atomicWord: UInt64) { self.init(truncatingIfNeeded: atomicWord) }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt: AtomicValue {
    @inlinable @_transparent package init(atomicWord: UInt64) { self.init(truncatingIfNeeded: atomicWord) }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension Int64: AtomicValue {
    @inlinable @_transparent package init(atomicWord: UInt64) { self.init(truncatingIfNeeded: atomicWord) }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt64: AtomicValue {
    @inlinable @_transparent package init(atomicWord: UInt64) { self.init(truncatingIfNeeded: atomicWord) }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt64(truncatingIfNeeded: self) }
}

/// The address of something that outlives its use, which those who store it see to; 0 for none.
@usableFromInline
package protocol AtomicAddress: AtomicValue {}

extension UnsafeRawPointer: @unsafe AtomicAddress {
    @inlinable @_transparent package init(atomicWord: UInt64) {
        // The word of an address, which is not 0.
        unsafe self = UnsafeRawPointer(bitPattern: UInt(atomicWord: atomicWord)).unsafelyUnwrapped
    }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt(bitPattern: self).atomicWord }
}

extension UnsafeMutableRawPointer: @unsafe AtomicAddress {
    @inlinable @_transparent package init(atomicWord: UInt64) {
        // As above.
        unsafe self = UnsafeMutableRawPointer(bitPattern: UInt(atomicWord: atomicWord)).unsafelyUnwrapped
    }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt(bitPattern: self).atomicWord }
}

extension Optional: AtomicValue where Wrapped: AtomicAddress {
    @inlinable @_transparent package init(atomicWord: UInt64) {
        self = atomicWord == 0 ? nil : Wrapped(atomicWord: atomicWord)
    }
    @inlinable @_transparent package var atomicWord: UInt64 { self?.atomicWord ?? 0 }
}

/// What a byte holds that threads share.
@usableFromInline
package protocol AtomicByteValue {
    init(atomicByte: UInt8)
    var atomicByte: UInt8 { get }
}

extension UInt8: AtomicByteValue {
    @inlinable @_transparent package init(atomicByte: UInt8) { self = atomicByte }
    @inlinable @_transparent package var atomicByte: UInt8 { self }
}

extension Bool: AtomicByteValue {
    @inlinable @_transparent package init(atomicByte: UInt8) {
        // Only 0 and 1 are stored, which are the values of a Bool.
        self = unsafe unsafeBitCast(atomicByte, to: Bool.self)
    }
    @inlinable @_transparent package var atomicByte: UInt8 { self ? 1 : 0 }
}

extension AtomicByteValue where Self: RawRepresentable, RawValue == UInt8 {
    @inlinable @_transparent package init(atomicByte: UInt8) {
        // Only raw values of cases are stored.
        unsafe self = Self(rawValue: atomicByte).unsafelyUnwrapped
    }
    @inlinable @_transparent package var atomicByte: UInt8 { rawValue }
}
