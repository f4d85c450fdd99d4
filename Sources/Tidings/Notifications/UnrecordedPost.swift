/// A notification that the package posts internally. A recording center for tests passes it on and doesn't list it.
package protocol UnrecordedPost {
    static var contentType: Any.Type { get }
}
