extension Array<UInt8> {
    /// Whether the bytes at `start` are those of `other`. The loop has no early exit, so that it can be vectorized.
    package func has(_ other: [UInt8], at start: Int) -> Bool {
        guard start >= 0, start <= count, other.count <= count - start else { return false }
        var difference: UInt8 = 0
        // The guard ensures that both buffers have enough bytes.
        unsafe withUnsafeBufferPointer { here in
            unsafe other.withUnsafeBufferPointer { there in
                for index in 0..<there.count { unsafe difference |= here[start &+ index] ^ there[index] }
            }
        }
        return difference == 0
    }

    package mutating func append(decimal number: UInt64) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}

extension String {
    func escaped(_ mark: String, unless isPlain: (UInt8) -> Bool) -> String {
        if utf8.allSatisfy(isPlain) { return self }
        var result = ""
        for byte in utf8 {
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += byte < 16 ? "\(mark)0" : mark
                result += String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
