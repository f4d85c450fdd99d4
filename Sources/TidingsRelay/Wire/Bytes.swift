extension Array<UInt8> {
    /// Whether the array contains the same bytes from a position on.
    ///
    /// All bytes are compared, even after a difference, so that the compiler can compare many at a time.
    package func has(_ other: [UInt8], at start: Int) -> Bool {
        guard start >= 0, start <= count, other.count <= count - start else { return false }
        var difference: UInt8 = 0
        // Both have enough bytes from there on.
        unsafe withUnsafeBufferPointer { here in
            unsafe other.withUnsafeBufferPointer { there in
                for index in 0..<there.count { unsafe difference |= here[start &+ index] ^ there[index] }
            }
        }
        return difference == 0
    }

    /// Appends a number in decimal digits.
    package mutating func append(decimal number: UInt64) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
