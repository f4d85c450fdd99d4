import CTidingsSystem

package enum CallingThread {
    /// A number that identifies this thread while it runs. It is never 0.
    package static var number: UInt { unsafe UInt(bitPattern: tidings_thread_post()) }

    package static func rest() { tidings_rest() }
}
