import Foundation
import Testing

@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct SnapshotFormTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "example-snapshot.json")

    private static func encode(_ snapshot: InspectorSnapshot) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(snapshot), as: UTF8.self) + "\n"
    }

    /// If the environment variable `TIDINGS_WRITE_EXAMPLE` is set, the test first writes the file in the new format.
    @Test func `the example file matches the format`() throws {
        let encoded = try Self.encode(.example)
        if ProcessInfo.processInfo.environment["TIDINGS_WRITE_EXAMPLE"] != nil {
            try encoded.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == encoded)
        #expect(
            try JSONDecoder().decode(InspectorSnapshot.self, from: Data(contentsOf: Self.file))
                == .example)
    }

    @Test func `every key of the snapshot format has a value in the example`() {
        var (keys, known): (Set<String>, Set<String>) = ([], [])
        func look(at value: Any) {
            let mirror = Mirror(reflecting: value)
            let type = String(reflecting: mirror.subjectType)
            for child in mirror.children {
                look(at: child.value)
                guard mirror.displayStyle == .struct, type.hasPrefix("TidingsInspector.") else { continue }
                let key = "\(type).\(child.label ?? "")"
                keys.insert(key)
                let value = Mirror(reflecting: child.value)
                if value.displayStyle != .optional || !value.children.isEmpty { known.insert(key) }
            }
        }
        look(at: InspectorSnapshot.example)
        #expect(keys.count > 100)
        #expect(keys.subtracting(known) == [])
    }

    @Test func `a warning in the example describes its observer in the same words as the inspector`() {
        let example = InspectorSnapshot.example
        for warning in example.warnings {
            guard let observer = example.observers.first(where: { $0.id == warning.observer }) else { continue }
            #expect(warning.text.hasSuffix(": \(observer.words)"))
            #expect(warning.severity == warning.kind.severity)
        }
    }

    @Test func `the header of a recording is encoded as documented`() throws {
        let line = """
            {"recording":"tidings","version":1,"program":{"name":"shop","process":4711,"started":1767225600},"saved":1767225700}
            """
        let header = try JSONDecoder().decode(InspectorRecording.Header.self, from: Data(line.utf8))
        #expect(
            header
                == InspectorRecording.Header(
                    program: InspectorSnapshot.example.program, saved: 1_767_225_700))
    }
}
