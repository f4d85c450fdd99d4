// While a value is decoded, errors are thrown as `DecodingError`, because a type's `init(from:)` may catch them. Each
// carries the `NotificationDecodingError` that the decoder finally throws.

extension DecodingNode {
    func failure(
        _ reason: NotificationDecodingError.Reason, expected: Any.Type, at key: (any CodingKey)? = nil,
        found value: Any?
    ) -> DecodingError {
        failure(reason, expected: expected, path: codingPath + (key.map { [$0] } ?? []), found: value)
    }

    /// Converts an error that a type's own initializer has thrown. An error of a ``DecodingNode`` stays unchanged.
    func attributed(_ error: any Error, expected: Any.Type) -> DecodingError {
        switch error as? DecodingError {
        case let error? where error.carried != nil: error
        case .typeMismatch(let type, let context)?: failure(.mistyped, expected: type, context, found: value)
        case .valueNotFound(let type, let context)?: failure(.missing, expected: type, context, found: nil)
        case .keyNotFound(let key, let context)?: failure(.missing, expected: expected, context, [key], found: nil)
        case .dataCorrupted(let context)?: failure(.invalid, expected: expected, context, found: value)
        default:
            failure(.invalid, expected: expected, path: codingPath, found: value, detail: describe(error: error))
        }
    }

    /// Creates an error with the longer of two key paths: the path in the initializer's error, or this node's path.
    private func failure(
        _ reason: NotificationDecodingError.Reason, expected: Any.Type, _ context: DecodingError.Context,
        _ keys: [any CodingKey] = [], found value: Any?
    ) -> DecodingError {
        let path = context.codingPath.count > codingPath.count ? context.codingPath : codingPath
        return failure(reason, expected: expected, path: path + keys, found: value, detail: context.debugDescription)
    }

    private func failure(
        _ reason: NotificationDecodingError.Reason, expected: Any.Type, path: [any CodingKey], found value: Any?,
        detail: String? = nil
    ) -> DecodingError {
        let found = value.map { value in
            session.look()
            return describe(value)
        }
        let error = NotificationDecodingError(
            notification: session.notification, keyPath: path.words,
            expected: String(describing: expected), found: found, reason: reason, detail: detail.map { shortened($0) })
        let context = DecodingError.Context(
            codingPath: path, debugDescription: error.description, underlyingError: error)
        switch reason {
        case .mistyped: return .typeMismatch(expected, context)
        case .missing: return .valueNotFound(expected, context)
        default: return .dataCorrupted(context)
        }
    }
}

extension DecodingError {
    var carried: NotificationDecodingError? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.underlyingError as? NotificationDecodingError
        @unknown default: nil
        }
    }
}
