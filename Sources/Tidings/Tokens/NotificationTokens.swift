/// A collection of tokens that keeps their observers alive exactly as long as a scope or an object exists.
///
/// An array of tokens in a local variable may be released after its last use, even on the line that creates it, so that
/// later posts reach no observer. A value of this type is noncopyable, so it lives until its scope ends:
///
/// ```swift
/// func rehearse() {
///     var tokens = NotificationTokens()
///     center.addObserver(for: CacheCleared.self) { _ in print("cleared") }.store(in: &tokens)
///     center.post(CacheCleared())  // reaches the observer
/// }  // the observation ends here
/// ```
///
/// In a property of an object, this collection works like an array: the observations end with the object. In a class
/// with the `@Observable` macro, mark the property with `@ObservationIgnored`.
public struct NotificationTokens: ~Copyable, Sendable {
    private var tokens: [NotificationToken]

    /// Creates a collection of tokens.
    ///
    /// - Parameter tokens: The initial tokens.
    public init(_ tokens: some Sequence<NotificationToken> = []) { self.tokens = Array(tokens) }

    // Client modules call this `deinit` without seeing its body, so the optimizer can't release the tokens earlier.
    deinit { extendLifetime(tokens) }

    /// The number of tokens, active or not.
    public var count: Int { tokens.count }

    /// Adds a token. ``NotificationToken/store(in:)-(NotificationTokens)`` does the same.
    ///
    /// - Parameter token: The token.
    public mutating func append(_ token: NotificationToken) { tokens.append(token) }

    /// Removes and returns all tokens. No token is released before this method has returned. So if a release runs a
    /// `deinit`, the `deinit` can access the object that holds this value.
    ///
    /// - Returns: The tokens. If you discard them, observations without an owner end at once. To wait for running
    ///   calls, write `for token in tokens.removeAll() { await token.cancelAndDrain() }`.
    @discardableResult
    public mutating func removeAll() -> [NotificationToken] {
        defer { tokens = [] }
        return tokens
    }
}

extension NotificationToken {
    /// Adds the token to a collection that keeps its observers alive.
    ///
    /// - Parameter tokens: The collection.
    public func store(in tokens: inout NotificationTokens) { tokens.append(self) }
}
