import Foundation
import Synchronization

/// A figure, and what it has to be.
enum Bar {
    private static let count = Mutex(0)

    /// How many figures have missed their bars.
    static var missed: Int { count.withLock { $0 } }

    static func report(_ words: String, _ figure: Double, atMost most: Double? = nil, atLeast least: Double? = nil) {
        var line = "\(words): \(text(figure))"
        if let most { line += " (bar: at most \(text(most)))" }
        if let least { line += " (bar: at least \(text(least)))" }
        let isMissed = most.map { figure > $0 } ?? false || least.map { figure < $0 } ?? false
        if isMissed {
            line += " MISSED"
            count.withLock { $0 += 1 }
        }
        print(line)
    }

    private static func text(_ figure: Double) -> String { String(format: figure >= 100 ? "%.0f" : "%.2f", figure) }
}
