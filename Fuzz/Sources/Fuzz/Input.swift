/// The bytes that libFuzzer made, read as choices. Whatever they are, they mean something; at their end everything is zero.
struct Input {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// - Parameter bytes: They have to stay as long as the input is read.
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Whether there is nothing left.
    var isEmpty: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        if isEmpty { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// A number below another one, which is 256 at most.
    mutating func below(_ bound: Int) -> Int { Int(byte()) % bound }

    mutating func flag() -> Bool { byte() & 1 == 1 }

    /// A number of some width, from as many bytes.
    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        var number: Number = 0
        for _ in 0..<Number.bitWidth / 8 { number = number << 8 | Number(truncatingIfNeeded: byte()) }
        return number
    }

    mutating func double() -> Double { Double(bitPattern: number()) }

    /// Text of up to 15 bytes, which need not have been UTF-8.
    mutating func text() -> String {
        let count = below(16)
        return String(decoding: (0..<count).map { _ in byte() }, as: UTF8.self)
    }

    /// Text of up to 255 bytes, which need not have been UTF-8.
    mutating func longText() -> String {
        let count = Int(byte())
        return String(decoding: (0..<min(count, bytes.count - position)).map { _ in byte() }, as: UTF8.self)
    }

    /// All bytes that are left.
    mutating func rest() -> [UInt8] {
        defer { position = bytes.count }
        return Array(bytes[min(position, bytes.count)...])
    }

    /// So many values, of which none is read when the bytes are at their end.
    mutating func list<Value>(upTo most: Int, _ value: (inout Input) -> Value) -> [Value] {
        var list: [Value] = []
        for _ in 0..<below(most + 1) where !isEmpty { list.append(value(&self)) }
        return list
    }
}
