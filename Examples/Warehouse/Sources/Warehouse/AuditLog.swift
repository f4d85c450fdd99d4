import Foundation
import Tidings

/// Writes a line to a file for each message of the audit bus.
actor AuditLog: MessageConsumer {
    private let file: FileHandle

    /// Lines are appended to the file, which is created if it doesn't exist.
    init(path: String) throws {
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
    }

    func consume(_ message: AuditMessage) throws {
        let line =
            switch message {
            case .refused(let order): "refused \(order.id)\n"
            }
        try file.write(contentsOf: Data(line.utf8))
    }
}
