import CTidingsSystem

/// The standard error stream, for warnings that a programmer sees without a monitor.
package enum Console {
    package static func write(_ line: String) { unsafe tidings_write_to_console("Tidings: \(line)") }
}
