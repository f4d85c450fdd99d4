import CTidingsSystem

/// Addresses of which every thread has its own: each is of something on the stack of the thread, and `nil` at first.
package enum ThreadLocalAddress {
    /// That of the innermost post which logs calls or leaves out monitors.
    package static var ofToldPost: UnsafeMutableRawPointer? {
        get { unsafe tidings_told_post() }
        set { unsafe tidings_set_told_post(newValue) }
    }
}
