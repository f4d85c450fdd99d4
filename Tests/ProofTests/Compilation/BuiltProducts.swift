import Foundation

/// The directory that this test was built into, where modules and executables lie.
enum BuiltProducts {
    static func directory() throws -> URL {
        var directory = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while directory.path != "/" {
            directory.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: directory.appending(path: "Modules/Tidings.swiftmodule").path) {
                return directory
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
