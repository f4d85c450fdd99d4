import Foundation
import Testing
import Tidings
import TidingsOutbox

@Suite(.timeLimit(.minutes(2))) struct MemoryStoreTests {
    @Test(arguments: OutboxStoreConformance.checks)
    func `the store in memory meets the requirements for stores`(check: OutboxStoreConformance.Check) async throws {
        let findings = try await check.run(on: InMemoryOutboxStore()) { store, bodies, isCommitted in
            if isCommitted {
                try store.append(bodies.map { OutboxPost(name: "check", version: 1, body: Data($0.utf8)) })
            }
        }
        #expect(findings == [])
    }

    @Test func `the conformance checks detect a store that loses rows`() async throws {
        var found = 0
        for check in OutboxStoreConformance.checks {
            let findings = try await check.run(on: InMemoryOutboxStore()) { _, _, _ in }
            if !findings.isEmpty { found += 1 }
        }
        #expect(found >= 4)
    }
}
