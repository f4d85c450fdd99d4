import Foundation

/// A terminal that passes on each key at once and uses the alternate screen, until it is restored.
struct RawTerminal {
    private let saved: termios

    /// Configures the terminal of the standard streams.
    ///
    /// - Returns: `nil` if the input or the output isn't a terminal.
    init?() {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
        var settings = termios()
        // The settings are a local variable, here and below.
        guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        saved = settings
        unsafe cfmakeraw(&settings)
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        // Shows the alternate screen without a cursor.
        Self.write("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Restores the terminal.
    func restore() {
        Self.write("\u{1B}[?25h\u{1B}[?1049l")
        var settings = saved
        unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    /// The size of the terminal of the standard output, or 80 by 24 if it is unknown.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        // The size is a local variable.
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows lines from the upper left corner. The previous content is overwritten without clearing it first, so that
    /// nothing flickers.
    func show(_ screen: Screen, inColours: Bool) {
        var text = "\u{1B}[H"
        for (index, line) in screen.lines.enumerated() {
            let style = inColours ? line.style.sequence : line.style == .head ? "\u{1B}[7m" : ""
            text += (index == 0 ? "" : "\r\n") + style + line.text + (style.isEmpty ? "" : "\u{1B}[0m") + "\u{1B}[K"
        }
        Self.write(text + "\u{1B}[J")
    }

    private static func write(_ text: String) {
        // An error means that the terminal is gone. In that case the input also ends, which ends the program.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension Screen.Line.Style {
    /// The escape sequence for the style.
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
