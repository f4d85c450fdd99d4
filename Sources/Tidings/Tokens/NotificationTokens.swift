/// The tokens of one scope or one object: their observations end when it ends, and not before.
///
/// An array of tokens in a local variable is released after its last use, which the optimiser may see in the line that makes it:
/// the posts that follow reach no observer. A value of this type cannot be copied, so the language keeps it until its scope
/// ends, in optimised code as well:
///
/// ```swift
/// func rehearse() {
///     var tokens = NotificationTokens()
///     center.addObserver(for: CacheCleared.self) { _ in print("cleared") }.store(in: &tokens)
///     center.post(CacheCleared())  // reaches the observer
/// }  // the observation ends here
/// ```
///
/// As a property of an object it does what an array does there: its observations end with the object. A class with the
/// `@Observable` macro marks it with `@ObservationIgnored`.
public struct NotificationTokens: ~Copyable, Sendable {
    private var tokens: [NotificationToken]

    /// Holds tokens.
    ///
    /// - Parameter tokens: The tokens to begin with.
    public init(_ tokens: some Sequence<NotificationToken> = []) { self.tokens = Array(tokens) }

    // The optimiser cannot look into a `deinit` of another module, so the tokens are there until it is called.
    deinit { extendLifetime(tokens) }

    /// How many tokens it holds, active or not.
    public var count: Int { tokens.count }

    /// Takes one more token; ``NotificationToken/store(in:)-(NotificationTokens)`` calls it.
    ///
    /// - Parameter token: The token.
    public mutating func append(_ token: NotificationToken) { tokens.append(token) }

    /// Takes all tokens out.
    ///
    /// No code of an observer runs in here, so it may itself use what holds this value.
    ///
    /// - Returns: The tokens. Discarded, they end their observations at once; to wait for calls that are running, write
    ///   `for token in tokens.removeAll() { await token.cancelAndDrain() }`.
    @discardableResult
    public mutating func removeAll() -> [NotificationToken] {
        defer { tokens = [] }
        return tokens
    }
}

extension NotificationToken {
    /// Puts the token among others that keep their observations going until their scope or their object ends.
    ///
    /// - Parameter tokens: The tokens.
    public func store(in tokens: inout NotificationTokens) { tokens.append(self) }
}
