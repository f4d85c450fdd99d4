import Hummingbird

/// Accepts requests that carry a token as `Authorization: Bearer …`. Without a configured token, it responds as if the
/// guarded routes didn't exist.
struct TokenGuard: RouterMiddleware {
    let token: String?

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        guard let token else { throw HTTPError(.notFound) }
        guard let given = request.headers[.authorization], Self.isSame(given, "Bearer \(token)") else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        return try await next(request, context)
    }

    /// Compares all bytes, even after a difference, so that the duration reveals only the length of the token.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
