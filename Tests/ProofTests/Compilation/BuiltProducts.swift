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

    /// The compiler's options for a source that imports the built modules.
    static func importOptions() throws -> [String] {
        let products = try directory()
        // The engine imports a C module, which the compiler finds by the map that the build has written for it.
        let map = products.appending(path: "CTidingsSystem.build/module.modulemap")
        return ["-I", products.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(map.path)"]
    }
}
