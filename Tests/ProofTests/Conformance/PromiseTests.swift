import Testing
import TidingsConformance

/// The promises that every center has to keep, with one test per promise. `CenterOnTrial.all` lists the exceptions of
/// each center.
@Suite(.timeLimit(.minutes(2))) struct PromiseTests {
    @Test(arguments: CenterOnTrial.all) func `promise 1: identity`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.identity)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 2: order`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.order)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 3: membership`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.membership)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 4: reentrancy`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.reentrancy)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 5: cancel`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.cancel)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 6: lifetime`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.lifetime)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 7: senders`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.senders)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 8: nothing is lost silently`(_ center: CenterOnTrial) async throws
    {
        try await center.conformance.check(.nothingLost)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 10: isolation`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.isolation)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 11: independence`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.independence)
    }

    @Test(arguments: CenterOnTrial.all) func `promise 12: replay`(_ center: CenterOnTrial) async throws {
        try await center.conformance.check(.replay)
    }
}
