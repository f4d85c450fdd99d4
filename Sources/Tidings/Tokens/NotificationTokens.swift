/// Holds the tokens of one scope or one object, whose observations end when the scope or the object does, and not before.
///
/// An array of tokens in a local variable may be released after its last use, and that can be the line that makes it: the posts
/// that follow then reach no observer. A value of this type cannot be copied, so the language keeps it until its scope ends, in
/// optimised code as well:
///
/// ```swift
/// func rehearse() {
///     var tokens = NotificationTokens()
///     center.addObserver(for: CacheCleared.self) { _ in print("cleared") }.store(in: &tokens)
///     center.post(CacheCleared())  // reaches the observer
/// }  // the observation ends here
/// ```
///
/// In a property of an object it works as an array does: the observations end with the object. In a class with the `@Observable`
/// macro, mark the property with `@ObservationIgnored`.
public struct NotificationTokens: ~Copyable, Sendable {
    private var tokens: [NotificationToken]

    /// Makes a value that holds tokens.
    ///
    /// - Parameter tokens: The tokens to begin with.
    public init(_ tokens: some Sequence<NotificationToken> = []) { self.tokens = Array(tokens) }

    // Client modules call this `deinit` without seeing its body, so their optimiser cannot release the tokens before.
    deinit { extendLifetime(tokens) }

    /// How many tokens are held, active or not.
    public var count: Int { tokens.count }

    /// Adds a token. ``NotificationToken/store(in:)-(NotificationTokens)`` does the same.
    ///
    /// - Parameter token: The token.
    public mutating func append(_ token: NotificationToken) { tokens.append(token) }

    /// Takes all tokens out.
    ///
    /// No token is released before this has returned, so the `deinit` of a closure's captures may use the object that holds this
    /// value, without a conflicting access to it.
    ///
    /// - Returns: The tokens. If they are discarded, their observations end at once. To wait for calls that are running, write
    ///   `for token in tokens.removeAll() { await token.cancelAndDrain() }`.
    @discardableResult
    public mutating func removeAll() -> [NotificationToken] {
        defer { tokens = [] }
        return tokens
    }
}

extension NotificationToken {
    /// Adds the token to others, whose observations last until their scope or their object ends.
    ///
    /// - Parameter tokens: The tokens.
    public func store(in tokens: inout NotificationTokens) { tokens.append(self) }
}
