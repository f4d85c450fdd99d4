/// Reads the bytes of an input as a series of choices. All bytes are valid. After the last byte, zeros are read.
struct Input {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// - Parameter bytes: The bytes, which have to stay valid as long as the input is read.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isEmpty: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        if isEmpty { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// Returns a number below `bound`, which is at most 256.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        var number: Number = 0
        for _ in 0..<Number.bitWidth / 8 { number = number << 8 | Number(truncatingIfNeeded: byte()) }
        return number
    }

    mutating func double() -> Double { Double(bitPattern: number()) }

    mutating func text() -> String {
        let count = below(16)
        return String(decoding: (0..<count).map { _ in byte() }, as: UTF8.self)
    }

    mutating func longText() -> String {
        let count = Int(byte())
        return String(decoding: (0..<min(count, bytes.count - position)).map { _ in byte() }, as: UTF8.self)
    }

    mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[min(position, bytes.count)...])
    }

    mutating func list<Value>(upTo most: Int, _ value: (inout Input) -> Value) -> [Value] {
        var list: [Value] = []
        for _ in 0..<below(most + 1) where !isEmpty { list.append(value(&self)) }
        return list
    }
}
