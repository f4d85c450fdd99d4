import CTidingsSystem

package enum Console {
    package static func write(_ line: String) { unsafe tidings_write_to_console("Tidings: \(line)") }
}
