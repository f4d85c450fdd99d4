// Two problems of existing programs: posts from code that can't receive a center as an argument, and owners that aren't
// Sendable.
import Foundation
import TidingsFoundation

struct LibraryChanged: TypedNotification { var count: Int }

// snippet.current
/// The center for code to which no center can be passed, such as a protocol extension or a singleton.
enum Centers {
    @TaskLocal static var current: any TypedNotificationCenter = NotificationCenter.default
}

protocol Library {
    var articles: [String] { get }
}

extension Library {
    func changed() { Centers.current.post(LibraryChanged(count: articles.count)) }
}

final class Catalogue: Library, Sendable {
    static let shared = Catalogue()
    let articles = ["One", "Two"]
}
// snippet.end

let native = NativeNotificationCenter()
let token = native.addObserver(for: LibraryChanged.self) { note in print("\(note.count) articles") }

// snippet.test
// A test, or a part of the program, sets another center for a function and the tasks that it starts.
Centers.$current.withValue(native) { Catalogue.shared.changed() }
// → 2 articles
// snippet.end

// snippet.owners
/// A view controller or a view model: the main actor makes it Sendable.
@MainActor
final class ListModel {
    private(set) var count = 0

    init(center: some TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: LibraryChanged.self) { me, note in me.count = note.count }
    }
}

/// A class that any thread uses: its state is under a lock.
final class Tally: @unchecked Sendable {  // the number is only accessed under the lock
    private let lock = NSLock()
    private var number = 0

    init(center: some TypedNotificationCenter) {
        center.addObserver(self, for: LibraryChanged.self) { me, note in me.add(note.count) }
    }

    func add(_ count: Int) { lock.withLock { number += count } }
    var value: Int { lock.withLock { number } }
}
// snippet.end

let tally = Tally(center: native)
native.post(LibraryChanged(count: 3))
// → 3 articles
print("a tally of \(tally.value)")
// → a tally of 3
withExtendedLifetime(token) {}
