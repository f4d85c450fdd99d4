import Foundation

/// A terminal in raw mode with the alternate screen. `restore()` returns to the previous mode and screen.
struct RawTerminal {
    private let saved: termios

    /// Returns `nil` unless both standard input and standard output are terminals.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        var settings = termios()
        // Here and below, the pointer to the local variable is valid during the call.
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        saved = settings
        unsafe cfmakeraw(&settings)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        // Shows the alternate screen, and hides the cursor.
        Self.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func restore() {
        Self.write("\u{1B}[?25h\u{1B}[?1049l")
        var settings = saved
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Overwrites the screen without clearing it first, because clearing would make the screen flicker.
    func show(_ screen: Screen, inColours: Bool) {
        var text = "\u{1B}[H"
        for (index, line) in screen.lines.enumerated() {
            let style = inColours ? line.style.sequence : line.style == .head ? "\u{1B}[7m" : ""
            text += (index == 0 ? "" : "\r\n") + style + line.text + (style.isEmpty ? "" : "\u{1B}[0m") + "\u{1B}[K"
        }
        Self.write(text + "\u{1B}[J")
    }

    private static func write(_ text: String) {
        // Ignores errors. If the terminal is gone, the input ends too, and the program exits.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension Screen.Line.Style {
    fileprivate var sequence: String {
        switch self {
        case .plain: ""
        case .strong: "\u{1B}[1m"
        case .head: "\u{1B}[7m"
        case .faint: "\u{1B}[2m"
        case .alarm: "\u{1B}[33m"
        }
    }
}
