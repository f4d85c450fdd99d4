/// The slot of a word in a table of a power of two of slots: Fibonacci hashing.
///
/// The word is multiplied by 2 to the 64 over the golden ratio, in 64 bits however wide a word is, and the upper half of
/// the product is taken, which is mixed well even of addresses, whose low bits are always zero.
///
/// - Parameters:
///   - word: An address, or a hash.
///   - mask: The number of slots minus one.
/// - Returns: The number of the slot.
@inlinable
@inline(__always)
func slot(of word: UInt, mask: Int) -> Int {
    Int(truncatingIfNeeded: (UInt64(truncatingIfNeeded: word) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
}
