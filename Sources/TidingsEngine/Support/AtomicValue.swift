public import CTidingsSystem

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

@usableFromInline
package struct AtomicUpdateOrdering {
    @usableFromInline let rawValue: Int32

    @inlinable
    @_transparent
    init(_ rawValue: Int32) { self.rawValue = rawValue }

    @inlinable @_transparent package static var relaxed: Self { Self(Int32(tidings_relaxed)) }
    @inlinable @_transparent package static var acquiring: Self { Self(Int32(tidings_acquiring)) }
    @inlinable @_transparent package static var releasing: Self { Self(Int32(tidings_releasing)) }
    @inlinable @_transparent package static var acquiringAndReleasing: Self {
        Self(Int32(tidings_acquiring_and_releasing))
    }
    @inlinable @_transparent package static var sequentiallyConsistent: Self {
        Self(Int32(tidings_sequentially_consistent))
    }
}

@inlinable
@_transparent
package func atomicMemoryFence(ordering: AtomicFenceOrdering) { tidings_fence_thread() }

@usableFromInline
package struct AtomicFenceOrdering {
    @inlinable
    @_transparent
    init() {}

    @inlinable @_transparent package static var sequentiallyConsistent: Self { Self() }
}

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

/// An address in an atomic word. 0 stands for `nil`. Code that stores an address must keep its memory allocated.
@usableFromInline
package protocol AtomicAddress: AtomicValue {}

extension UnsafeRawPointer: @unsafe AtomicAddress {
    @inlinable @_transparent package init(atomicWord: UInt64) {
        // The word was stored from an address, so it isn't 0.
        unsafe self = UnsafeRawPointer(bitPattern: UInt(atomicWord: atomicWord)).unsafelyUnwrapped
    }
    @inlinable @_transparent package var atomicWord: UInt64 { UInt(bitPattern: self).atomicWord }
}

extension UnsafeMutableRawPointer: @unsafe AtomicAddress {
    @inlinable @_transparent package init(atomicWord: UInt64) {
        // The word was stored from an address, so it isn't 0.
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
        // Only 0 and 1 are ever stored, which are the bit patterns of a Bool.
        self = unsafe unsafeBitCast(atomicByte, to: Bool.self)
    }
    @inlinable @_transparent package var atomicByte: UInt8 { self ? 1 : 0 }
}

extension AtomicByteValue where Self: RawRepresentable, RawValue == UInt8 {
    @inlinable @_transparent package init(atomicByte: UInt8) {
        // Only raw values of existing cases are ever stored.
        unsafe self = Self(rawValue: atomicByte).unsafelyUnwrapped
    }
    @inlinable @_transparent package var atomicByte: UInt8 { rawValue }
}
