import Foundation

/// The build directory of this test, which contains modules and executables.
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

    /// The compiler options for a source file that imports the built modules.
    static func importOptions() throws -> [String] {
        let products = try directory()
        // The compiler needs the module map that the build has written for the C module.
        let map = products.appending(path: "CTidingsSystem.build/module.modulemap")
        return ["-I", products.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(map.path)"]
    }
}
