import Foundation

/// Finds the file of a command, as a shell does.
enum CommandLookup {
    /// Returns the file of a command.
    ///
    /// - Parameters:
    ///   - command: A path, if it contains a slash; otherwise a name that is looked for in the folders of `path`.
    ///   - path: Folders separated by colons; an empty one is the current folder.
    /// - Returns: The file, which can be run.
    /// - Throws: Why there is none.
    static func find(_ command: String, path: String) throws(Failure) -> URL {
        if command.contains("/") { return try executable(at: URL(filePath: command)) }
        var failure = Failure.notFound(command)
        for folder in path.split(separator: ":", omittingEmptySubsequences: false) where !command.isEmpty {
            let url = URL(filePath: folder.isEmpty ? "." : String(folder)).appending(path: command)
            guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else { continue }
            // A file that cannot be run is worth telling, unless a later folder has one that can.
            do { return try executable(at: url) } catch { failure = error }
        }
        throw failure
    }

    private static func executable(at url: URL) throws(Failure) -> URL {
        let path = url.path(percentEncoded: false)
        var isFolder: ObjCBool = false
        // The pointer is used during the call only.
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(path) }
        if isFolder.boolValue { throw .notExecutable(path, reason: "it is a folder") }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw .notExecutable(path, reason: "permission denied")
        }
        return url
    }
}
