import Foundation
import Tidings

/// A line for each message of the audit bus, in a file.
actor AuditLog: MessageConsumer {
    private let file: FileHandle

    /// - Parameter path: The file. It is made if it is not there; lines are added to what is in it.
    /// - Throws: The error of a file that cannot be opened.
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
