/// A notification that the package posts internally. A recording center for tests passes it on and doesn't list it.
package protocol UnrecordedPost {
    /// The program's notification type that the post carries; `nil` if there is none.
    static var contentType: Any.Type? { get }
}

extension UnrecordedPost {
    package static var contentType: Any.Type? { nil }
}
