import Dispatch
import Foundation
import Observation
import Tidings
import TidingsFoundation

@Observable
final class Model {
    var numbers: [Int] = []
    var failures = 0
    var isOnline = false
    var title = ""
    var names: [String] = []
    var messages: [Message] = []

    @ObservationIgnored private var tokens: [NotificationToken] = []

    func show(_ center: some TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: Saved.self) { me, note in me.numbers.append(note.number) }
        center.addObserver(self, on: .main, for: Connected.self) { me, note in me.isOnline = note.isOnline }
        center.addObserver(for: Shown.self) { [weak self] note in self?.title = note.title }.store(in: &tokens)
    }

    func begin(with account: Account, in center: some TypedNotificationCenter) {
        center.addObserver(self, on: .main, for: Renamed.self, sender: account) { me, note in
            try await me.take(note.name)
        }
    }

    private func take(_ name: String) async throws {
        names.append(name)
        if name.isEmpty { throw Refused() }
    }
}

extension Model: MessageConsumer {
    func consume(_ message: Message) { messages.append(message) }
}

nonisolated final class Archive: Sendable {
    private let numbers = Lock<[Int]>([])
    var all: [Int] { numbers.withLock { $0.sorted() } }

    func store(_ number: Int) throws {
        if number < 0 { throw Refused() }
        numbers.withLock { $0.append(number) }
    }

    func observe(_ center: some TypedNotificationCenter, on queue: DispatchQueue, _ operations: OperationQueue) {
        center.addObserver(self, on: .queue(queue), for: Saved.self) { me, note in try me.store(note.number) }
        center.addObserver(self, on: .queue(operations), for: Saved.self, where: { $0.number > 1 }) { me, note in
            try me.store(10 * note.number)
        }
    }
}

struct OwnQueue: DeliveryQueue {
    func takeTurns(_ turn: @escaping @Sendable () -> Bool) {
        Task { @concurrent in while turn() { await Task.yield() } }
    }
}

struct Loaded: NotificationDescriptor {
    typealias Payload = Int
    let name = Notification.Name("IsolatedAppTests.loaded")
}
