import CTidingsSystem

package enum CallingThread {
    /// Identifies this thread for as long as it runs. Never 0.
    package static var number: UInt { unsafe UInt(bitPattern: tidings_thread_post()) }

    package static func rest() { tidings_rest() }
}
