import Foundation
import Testing
import Tidings
import TidingsOutbox
import TidingsTesting

struct Placed: RemoteNotification, Hashable {
    static let wireName = "test.placed"
    let number: Int
    var customer = "a"
}

struct Cancelled: RemoteNotification, Hashable {
    static let wireName = "test.cancelled"
    let number: Int
}

/// Another program's notification with the same name as ``Placed``. Its body can't be decoded as ``Placed``.
struct ForeignPlaced: RemoteNotification {
    static let wireName = "test.placed"
    let text: String
}

/// A version of ``Placed`` that this program can't decode.
struct LaterPlaced: RemoteNotification {
    static let wireName = "test.placed"
    static let wireVersion = 2
    let number: Int
}

struct Refused: Error, Hashable {}

actor Worker {
    private(set) var numbers: [Int] = []
    private(set) var attempts: [Int] = []
    private(set) var repeated: [Int] = []
    private var failures: [Int: Int] = [:]
    /// The attempts that have ended or that wait for ``letGo()``.
    private let settled = ReceivedValues<Int>()
    private var gates: [CheckedContinuation<Void, Never>] = []
    private var heldFrom: Int?

    func fail(_ number: Int, times: Int) { failures[number] = times }

    func handle(_ note: Placed) async throws {
        attempts.append(note.number)
        defer { settle() }
        if let heldFrom, attempts.count >= heldFrom {
            await withCheckedContinuation {
                gates.append($0)
                settle()
            }
        }
        if let left = failures[note.number], left > 0 {
            failures[note.number] = left - 1
            throw Refused()
        }
        numbers.append(note.number)
    }

    func handle(_ stored: StoredNotification<Placed>) async throws {
        if stored.mayBeRepeated { repeated.append(stored.notification.number) }
        try await handle(stored.notification)
    }

    /// From the given attempt on, makes each call wait until ``letGo()`` is called.
    func hold(from attempt: Int = 1) { heldFrom = attempt }

    func letGo() {
        heldFrom = nil
        for gate in gates { gate.resume() }
        gates = []
    }

    private func settle() {
        for attempt in attempts.dropFirst(settled.count) { settled.append(attempt) }
    }

    func waitForAttempts(_ count: Int) async { await settled.wait(for: count) }
}

final class Faults: Sendable {
    private let recorder: RecordingNotificationCenter
    init(_ recorder: RecordingNotificationCenter) { self.recorder = recorder }
    var kinds: [OutboxFault.Kind] { recorder.posted(OutboxFault.self).map(\.kind) }
}

/// A folder that is removed when the object is released.
final class TestFolder: Sendable {
    let path = NSTemporaryDirectory() + "outbox-" + UUID().uuidString

    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(_ name: String) -> String { "\(path)/\(name)" }
}

extension OutboxOptions {
    static var quick: OutboxOptions {
        var options = OutboxOptions()
        options.saveInterval = .zero
        options.pollInterval = .milliseconds(20)
        options.claimInterval = .milliseconds(20)
        return options
    }
}

extension ManualClock {
    func advanceForSleepers(by duration: Duration = .milliseconds(100)) async {
        await waitForSleepers()
        advance(by: duration)
        for _ in 0..<20 { await Task.yield() }
    }
}
