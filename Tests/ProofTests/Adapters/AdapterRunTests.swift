import Foundation
import Testing

/// The adapters need packages that nothing else needs, so their tests are a run of their own.
@Suite struct AdapterRunTests {
    @Test(.timeLimit(.minutes(20))) func `the tests of the adapters pass, with the packages they adapt to`() throws {
        let options = [
            // Not that of NATS, which needs a library on the machine; the step .ci/steps/65-relay has it.
            "--traits", "Logging,Metrics,Tracing,ServiceLifecycle,OpenCombine", "--package-path",
            try packageDirectory().path,
            "--scratch-path",
            "\(try packageDirectory().path)/.build-adapters",
        ]
        let build = try swift(["build", "--product", "tidingsPackageTests"] + options)
        #expect(build.status == 0, "\(build.output)")
        let run = try swift(["test", "--skip-build", "--disable-xctest"] + options)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains(/Test run with [1-9][0-9]* tests .*passed/), "\(run.output)")
    }

    private func swift(_ arguments: [String]) throws -> Command {
        try Command("env", ["TEST_ADAPTERS=1", "swift"] + arguments)
    }

    /// The directory of the package, which has these sources.
    private func packageDirectory(file: String = #filePath) throws -> URL {
        var directory = URL(fileURLWithPath: file)
        while directory.path != "/" {
            directory.deleteLastPathComponent()
            if FileManager.default.fileExists(atPath: directory.appending(path: "Package.swift").path) {
                return directory
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
