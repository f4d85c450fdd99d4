/// Computes the identities of messages. The server drops a message if its stream has recently stored the same identity,
/// so a program that guesses an identity can suppress a notification. With a secret, only programs that have the secret
/// can compute identities.
struct StreamIdentities: Sendable {
    private let program: String
    private let secret: [UInt8]?

    init(_ options: RelayOptions) {
        program = options.name
        secret = options.identitySecret.map { Array($0.utf8) }
    }

    /// Returns a message's identity. A chosen `id` gets the program's name, because other programs may choose it too.
    func identity(_ id: String, isChosen: Bool) -> String {
        if let secret { return "\(program).\(HMAC.code(of: id, secret))" }
        return isChosen ? "\(program).\(id)" : id
    }
}

/// HMAC with SHA-256, as in RFC 2104 and FIPS 180-4.
enum HMAC {
    static func code(of text: String, _ secret: [UInt8]) -> String {
        var key = secret.count > 64 ? SHA256.digest(secret) : secret
        key += Array(repeating: 0, count: 64 - key.count)
        let inner = SHA256.digest(key.map { $0 ^ 0x36 } + Array(text.utf8))
        return SHA256.digest(key.map { $0 ^ 0x5C } + inner).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}

private enum SHA256 {
    private static let primes: [Double] = {
        var primes: [Int] = []
        for number in 2... where primes.count < 64 && primes.allSatisfy({ number % $0 != 0 }) {
            primes.append(number)
            if primes.count == 64 { break }
        }
        return primes.map(Double.init)
    }()

    /// The first 32 bits of the fractional parts of the primes' square roots. `constants` uses cube roots.
    private static let roots = primes.prefix(8).map { fraction($0.squareRoot()) }
    private static let constants = primes.map { prime in
        // Newton's method converges within a few steps. Only the first 32 bits are used.
        fraction((0..<60).reduce(2) { root, _ in (2 * root + prime / (root * root)) / 3 })
    }

    private static func fraction(_ number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }

    static func digest(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        bytes += Array(repeating: 0, count: (120 - bytes.count % 64) % 64)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: (UInt64(message.count) * 8) >> UInt64(shift)))
        }
        var hash = roots
        for block in stride(from: 0, to: bytes.count, by: 64) { add(bytes[block..<block + 64], to: &hash) }
        return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func add(_ block: ArraySlice<UInt8>, to hash: inout [UInt32]) {
        func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
            block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            words.append(
                words[index - 16] &+ (turned(early, 7) ^ turned(early, 18) ^ early >> 3) &+ words[index - 7]
                    &+ (turned(late, 17) ^ turned(late, 19) ^ late >> 10))
        }
        var state = hash
        for index in 0..<64 {
            let (a, e) = (state[0], state[4])
            let choice = e & state[5] ^ ~e & state[6]
            let first =
                state[7] &+ (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) &+ choice &+ constants[index] &+ words[index]
            let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
            let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ majority
            state[3] &+= first
            // The words after the eighth are no longer read.
            state.insert(first &+ second, at: 0)
        }
        for index in 0..<8 { hash[index] &+= state[index] }
    }
}
