/// A notification that the package posts internally, and that isn't a post of the program. A recording center for tests
/// passes it on and doesn't list it.
package protocol UnrecordedPost {}
