import Foundation
import TidingsInspector

@testable import tidings_top

/// The example snapshot, which the inspector's tests keep up to date.
func exampleSnapshot() throws -> InspectorSnapshot { try InspectorSnapshot(json: exampleData()) }

func exampleData() throws -> Data {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: tests.appending(path: "TidingsInspectorTests/example-snapshot.json"))
}

func exampleLine() throws -> Data {
    try JSONSerialization.data(withJSONObject: JSONSerialization.jsonObject(with: exampleData()))
}

// Created on each access, because the address sanitizer reports data in a global variable as a leak.
var exampleHeader: Data {
    Data(
        #"{"recording":"tidings","version":1,"program":{"name":"shop","process":4711,"started":1767225600},"saved":1767225700}"#
            .utf8)
}

func recording(_ lines: Data...) -> Data { Data(lines.joined(separator: Data("\n".utf8))) }

func manyObservers(_ count: Int) throws -> InspectorSnapshot {
    var snapshot = try exampleSnapshot()
    let one = snapshot.observers[0]
    snapshot.observers = (0..<count).map { number in
        var observer = one
        observer.id = "\(number)"
        observer.place = "Shop/File.swift:\(number)"
        observer.waiting = number
        observer.dropped = count - number
        return observer
    }
    let group = snapshot.groups[0]
    snapshot.groups = snapshot.observers.map { observer in
        var group = group
        group.id = "g\(observer.id)"
        (group.place, group.waiting, group.dropped) = (observer.place, observer.waiting, observer.dropped)
        (group.observer, group.count) = (observer.id, 1)
        return group
    }
    return snapshot
}
