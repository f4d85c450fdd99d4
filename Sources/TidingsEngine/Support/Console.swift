import CTidingsSystem

/// Writes warnings to standard error, where a programmer sees them without a monitor.
package enum Console {
    package static func write(_ line: String) { unsafe tidings_write_to_console("Tidings: \(line)") }
}
