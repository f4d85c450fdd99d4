/// One thing that a center has to do to keep a promise.
public struct ConformanceCheck: Sendable {
    /// The promise of which this is a part.
    public let promise: ConformancePromise

    /// What the center has to do, in one sentence.
    public let description: String

    let run: @Sendable (Trial) async -> Void

    init(_ promise: ConformancePromise, _ description: String, run: @escaping @Sendable (Trial) async -> Void) {
        self.promise = promise
        self.description = description
        self.run = run
    }

    /// Every check, in the order of the promises.
    public static let all: [ConformanceCheck] = [
        identityChecks, orderChecks, asynchronousOrderChecks, membershipChecks, reentrancyChecks, cancelChecks,
        asynchronousCancelChecks, lifetimeChecks, asynchronousLifetimeChecks, senderChecks, nothingLostChecks,
        isolationChecks, independenceChecks,
    ].flatMap(\.self)
}

extension ConformanceCheck: Hashable, CustomStringConvertible {
    /// Two checks are the same if they ask for the same.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.promise == rhs.promise && lhs.description == rhs.description
    }

    /// Hashes what the check asks for.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
