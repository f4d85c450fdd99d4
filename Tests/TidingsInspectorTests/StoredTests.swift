import Foundation
import TestSupport
import Testing
import Tidings
import TidingsTesting

@testable import TidingsInspector

@Suite(.timeLimit(.minutes(2))) struct StoredTests {
    @Test func `a snapshot can contain all kinds of stored notifications`() {
        for kind in StoredReport.Kind.allCases {
            #expect(InspectorSnapshot.StoredKind(rawValue: kind.rawValue) != nil, "\(kind)")
        }
    }

    private struct Failed: Error, CustomStringConvertible { let description = "the disk is full\n" }

    private final class Manager: StoredNotificationManager {
        let changes = Lock<[String]>([])
        let isFailing = Lock(false)

        func storedNotifications(limit: Int) async throws -> StoredReport {
            if isFailing.withLock({ $0 }) { throw Failed() }
            let dropped = changes.withLock { $0.count }
            var entries: [StoredReport.Entry] = (dropped..<2).map { number in
                .init(
                    kind: .deadLetter, observer: "mails", id: "s-\(number)", notification: "orders.placed", attempts: 3,
                    error: "no\u{202E}<b>", storedAt: 1_500)
            }
            for number in 2...3 {
                entries.append(
                    .init(
                        kind: .waiting, observer: "mails", id: "s-\(number)", notification: "orders.placed",
                        storedAt: 1_500, isHeld: number == 2))
            }
            entries.append(
                .init(
                    kind: .scheduled, observer: nil, id: "s--1", notification: "orders.due", storedAt: 1_000,
                    due: 61_000))
            return StoredReport(
                observers: [
                    .init(name: "mails", isRunningHere: true, backlog: 2, held: 0, deadLetters: 2, oldest: nil)
                ], entries: entries)
        }

        func perform(_ action: StoredReport.Action, on kind: StoredReport.Kind, of observer: String?, id: String?)
            async throws -> Int
        {
            if isFailing.withLock({ $0 }) { throw Failed() }
            changes.withLock { $0.append("\(action) \(kind) \(observer ?? "-") \(id ?? "all")") }
            return 1
        }
    }

    private let center = NativeNotificationCenter()
    private let manager = Manager()

    private func inspector(mayChange: Bool) -> Inspector {
        var options = Inspector.Options.test
        options.mayChangeStored = mayChange
        return Inspector(of: center, Inspected(manager), options: options)
    }

    private func stored(_ inspector: Inspector) throws -> InspectorSnapshot.Stored {
        let response = inspector.answer("/stored")
        #expect(response.status == 200)
        return try JSONDecoder().decode(InspectorSnapshot.Stored.self, from: Data(response.text.utf8))
    }

    @Test func `listing stored notifications doesn't wait for the store, and invisible characters are escaped`()
        async throws
    {
        let inspector = inspector(mayChange: false)
        #expect(try !stored(inspector).mayChange)
        await eventually("the store has answered") { (try? stored(inspector).outboxes.first?.isKnown) == true }
        let outbox = try #require(try stored(inspector).outboxes.first)
        #expect(outbox.name == "outbox" && outbox.observers.map(\.deadLetters) == [2])
        #expect(outbox.entries.map(\.id) == ["s-0", "s-1", "s-2", "s-3", "s--1"])
        #expect(outbox.entries.map(\.isHeld) == [false, false, true, false, false])
        #expect(outbox.entries[0].error == "no\u{202E}<b>".plain)
        #expect(outbox.entries[4].due == 61)
        // An inspector lists only the outboxes that it was created with.
        #expect(try stored(Inspector(of: center, options: .test)).outboxes.isEmpty)
    }

    @Test func `even with the token, stored notifications can be changed only if the program allows it`() async throws {
        let inspector = inspector(mayChange: false)
        let target = "/stored?outbox=outbox&action=drop&kind=deadLetter&observer=mails&id=s-0"
        #expect(inspector.answer(target, method: "POST").status == 403)
        #expect(inspector.answer(target, method: "POST").text.contains("mayChangeStored"))
        #expect(inspector.answer(target, method: "PUT").status == 405)
        #expect(manager.changes.withLock { $0.isEmpty })
    }

    @Test func `a change requires the token, can't come from another site, and appears in later lists`() async throws {
        let inspector = inspector(mayChange: true)
        let target = "/stored?outbox=outbox&action=drop&kind=deadLetter&observer=mails&id=s-0"
        #expect(inspector.answer(target, method: "POST", authorization: nil).status == 401)
        #expect(inspector.answer(target, method: "POST", [("Origin", "https://evil.example")]).status == 403)
        #expect(inspector.answer(target, method: "POST", [("Sec-Fetch-Site", "cross-site")]).status == 403)
        #expect(manager.changes.withLock { $0.isEmpty })
        #expect(inspector.answer(target, method: "POST").status == 200)
        try await eventually("the notification is dropped") {
            try stored(inspector).outboxes.first?.lastChange?.count == 1
        }
        try await eventually("the list is current") { try stored(inspector).outboxes.first?.entries.count == 4 }
        #expect(
            inspector.answer("/stored?action=redrive&kind=deadLetter&observer=mails&all=true", method: "POST").status
                == 200)
        await eventually("both changes are made") { manager.changes.withLock { $0.count } == 2 }
        #expect(manager.changes.withLock { $0 } == ["drop deadLetter mails s-0", "redrive deadLetter mails all"])
    }

    @Test func `a request can drop a waiting notification`() async throws {
        let target = "/stored?action=drop&kind=waiting&observer=mails&id=s-2"
        let inspector = inspector(mayChange: true)
        #expect(inspector.answer(target, method: "POST").status == 200)
        try await eventually("the notification is dropped") {
            try stored(inspector).outboxes.first?.lastChange?.count == 1
        }
        #expect(manager.changes.withLock { $0 } == ["drop waiting mails s-2"])
    }

    @Test(arguments: [
        "", "action=eat&kind=deadLetter&observer=mails&id=1", "action=redrive&kind=waiting&observer=mails&id=1",
        "action=drop&kind=waiting&id=1", "action=drop&kind=waiting&observer=mails&all=true",
        "action=drop&kind=deadLetter&id=1", "action=drop&kind=deadLetter&observer=mails",
        "action=drop&kind=scheduled&all=true",
    ])
    func `an incomplete or invalid request for a change is rejected`(query: String) {
        #expect(inspector(mayChange: true).answer("/stored?\(query)", method: "POST").status == 400)
        #expect(manager.changes.withLock { $0.isEmpty })
    }

    @Test func `a change in an unknown outbox is answered with 404`() {
        let target = "/stored?outbox=other&action=drop&kind=scheduled&id=1"
        #expect(inspector(mayChange: true).answer(target, method: "POST").status == 404)
    }

    @Test func `if the store fails, its error is listed together with the last known notifications`() async throws {
        let inspector = inspector(mayChange: true)
        try await eventually("the store has answered") { try stored(inspector).outboxes.first?.isKnown == true }
        manager.isFailing.withLock { $0 = true }
        try await eventually("the error is listed") { try stored(inspector).outboxes.first?.error != nil }
        #expect(try stored(inspector).outboxes.first?.entries.count == 5)
        #expect(inspector.answer("/stored?action=drop&kind=scheduled&id=s--1", method: "POST").status == 200)
        try await eventually("the change has failed") { try stored(inspector).outboxes.first?.lastChange?.error != nil }
    }
}
