/// How long a relay waits before it connects again.
///
/// Each pause is a random part of a length that doubles, so that the programs that have lost one server do not all come back in the same
/// moment. The length is the shortest again when a connection has lived for a while: a server that takes connections and
/// ends them at once is as good as one that takes none.
struct ConnectionPauses: Sendable {
    /// The length of the first pause.
    static let shortest = Duration.seconds(1)

    /// The length that no pause exceeds.
    static let longest = Duration.seconds(8)

    /// For how long a connection has to live to be one that works.
    static let trial = Duration.seconds(5)

    private var length = shortest

    /// Notes that a connection has ended.
    ///
    /// - Parameter life: For how long it was used.
    mutating func noteEnd(after life: Duration) {
        if life >= Self.trial { length = Self.shortest }
    }

    /// The next pause.
    ///
    /// - Parameter generator: Where the random part comes from.
    /// - Returns: How long to wait.
    mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
        let pause = length * Double.random(in: 0...1, using: &generator)
        length = min(length * 2, Self.longest)
        return pause
    }
}
