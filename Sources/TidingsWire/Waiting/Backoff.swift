/// Pauses between attempts. Each pause is twice as long as the previous one, up to a limit.
package struct Backoff: Hashable, Sendable {
    private let shortest: Duration
    private let longest: Duration
    private var length: Duration

    package init(from shortest: Duration, to longest: Duration) {
        self.shortest = shortest
        self.longest = max(shortest, longest)
        length = shortest
    }

    package mutating func next() -> Duration {
        defer { length = min(length * 2, longest) }
        return length
    }

    /// Returns a random part of the next pause, so that programs that lost the same server don't all reconnect at once.
    package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        next() * Double.random(in: 0...1, using: &generator)
    }

    package mutating func reset() { length = shortest }
}
