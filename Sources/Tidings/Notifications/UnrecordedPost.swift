/// A notification that is a step of the package's own, and not a post of the program: a center that records for tests passes it on, and
/// does not list it.
package protocol UnrecordedPost {}
