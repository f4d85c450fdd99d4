import Foundation
import Tidings
import TidingsRelay

/// A program of the soak in a separate process, which may be killed or stopped at any time.
final class SoakProgram: Sendable {
    private let center = NativeNotificationCenter()
    private let relay: NotificationRelay
    private let ledger: Ledger
    private let instance: String
    private let folder: URL

    /// `instance` is a role and a number, such as `worker-2`. `life` is the number of times that the program was
    /// started. `patience` is the number of seconds after which the server redelivers an unacknowledged message.
    init(_ instance: String, life: String, folder: URL, patience: Double, addresses: [String]) throws {
        let role = String(instance.prefix { $0 != "-" })
        var options = RelayOptions(name: role)
        options.instance = instance
        options.acknowledgementTime = .seconds(patience)
        options.replicas = 3
        // After the loss of a leader, a sale may be redelivered late, and its receipt is then published again. The
        // stream must still recognize the duplicate.
        options.duplicateWindow = .seconds(900)
        // A message of a new version is retried until a program can read it. After the upgrade, every program can.
        options.retryPolicy = RetryPolicy(Array(repeating: .milliseconds(500), count: 1000))
        var server = NATSServer()
        server.addresses = addresses
        let routes = ["shop": SoakRoutes.shop, "office": SoakRoutes.office][role] ?? SoakRoutes.worker
        relay = try NotificationRelay(center, to: server, options: options, routes: routes)
        ledger = try Ledger(folder.appending(path: "\(instance).\(life).ledger").path(percentEncoded: false))
        self.instance = instance
        self.folder = folder
    }

    /// The line that makes a program stop posting.
    static let quiet = "quiet"

    /// The line that makes a program end cleanly.
    static let end = "end"

    /// Runs until a line of the input requests the end. A program with the role `shop` makes a pause after each post.
    func run(pause: Duration) async throws {
        let tokens = observe()
        let running = Task { await relay.run() }
        let posting = Task { if instance.hasPrefix("shop") { try await self.post(pause) } }
        if await Self.line() == Self.quiet {
            posting.cancel()
            _ = await Self.line()
        }
        posting.cancel()
        try await posting.value
        await relay.finish(within: .seconds(60))
        await running.value
        withExtendedLifetime(tokens) {}
    }

    private static func line() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: readLine()) }
        }
    }

    private func observe() -> [NotificationToken] {
        [
            center.addObserver(for: RelayFault.self) { [ledger] fault in
                ledger.write("fault", fault.kind.rawValue, fault.id ?? "-", "\(fault.count)")
                FileHandle.standardError.write(Data("\(SoakClock.now) \(fault)\n".utf8))
            },
            center.addObserver(for: RelayedNotification<Receipt>.self) { [ledger, instance] received in
                let (note, _) = ledger.begin(received, reading: instance)
                ledger.write("end", instance, note.id)
            },
            center.addObserver(on: .task, for: RelayedNotification<Job>.self) { [ledger] received in
                let (note, length) = ledger.begin(received, reading: "workers")
                try? await Task.sleep(for: length)
                ledger.write("end", "workers", note.id)
            },
            center.addObserver(for: RelayedNotification<Due>.self) { [ledger] received in
                let (note, length) = ledger.begin(received, reading: "printers")
                Thread.sleep(forTimeInterval: length / .seconds(1))
                ledger.write("end", "printers", note.id)
            },
            center.addObserver(on: .task, for: RelayedNotification<Sale>.self) { [ledger, relay] received in
                let (note, _) = ledger.begin(received, reading: "office")
                // The response to a repeated sale is the same receipt.
                try await ledger.publish(Receipt(key: note.key, number: note.number), through: relay)
                ledger.write("end", "office", note.id)
            },
        ]
    }

    private func post(_ pause: Duration) async throws {
        let before = try SoakRecord(folder: folder, of: instance)
        try await withThrowingTaskGroup { group in
            for key in (1...4).map({ "\(instance)-k\($0)" }) {
                for post in [keepPosting(Job.self), keepPosting(Due.self), keepPosting(Sale.self)] {
                    group.addTask { try await post(key, before, pause) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Returns a closure that posts the numbers of a key, starting with the first number that the program hasn't
    /// recorded as stored.
    private func keepPosting<N: SoakNote>(
        _ type: N.Type
    ) -> @Sendable (_ key: String, _ before: SoakRecord, _ pause: Duration) async throws -> Void {
        { [ledger, relay] key, before, pause in
            var number = 1
            while before.postings[N(key: key, number: number).id]?.isStored == true { number += 1 }
            while !Task.isCancelled {
                try await ledger.publish(N(key: key, number: number), through: relay)
                number += 1
                try? await Task.sleep(for: pause)
            }
        }
    }
}

extension Ledger {
    /// Records the beginning of a call, and returns the notification and the duration of its work.
    fileprivate func begin<N: SoakNote>(_ received: RelayedNotification<N>, reading: String) -> (N, Duration) {
        let (note, origin) = (received.notification, received.origin)
        write(
            "begin", reading, note.id, note.key, "\(note.number)", "\(origin.deliveryCount)",
            "\(origin.streamSequence ?? 0)")
        return (note, .milliseconds(note.number % 20))
    }

    /// Publishes a notification, and records the intention before and the success afterwards.
    fileprivate func publish<N: SoakNote>(_ note: N, through relay: NotificationRelay) async throws {
        write("intend", N.wireName, note.id)
        do { try await relay.publish(note, id: note.id) } catch {
            write("error", "\(note.id)", "\(error)")
            throw error
        }
        write("stored", N.wireName, note.id)
    }
}
