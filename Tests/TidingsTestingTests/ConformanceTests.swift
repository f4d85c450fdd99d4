import Foundation
import Testing
import Tidings
import TidingsConformance
import TidingsFoundation
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    private static let patience = Duration.seconds(1_200)

    @Test(arguments: ConformancePromise.allCases)
    func `a recorder on its own keeps every promise`(_ promise: ConformancePromise) async throws {
        try await CenterConformance(patience: Self.patience) { RecordingNotificationCenter() }.check(promise)
    }

    @Test(arguments: ConformancePromise.allCases)
    func `a recorder in front of a native center keeps every promise`(_ promise: ConformancePromise) async throws {
        try await CenterConformance(patience: Self.patience) {
            RecordingNotificationCenter(forwardingTo: NativeNotificationCenter())
        }.check(promise)
    }

    @Test(arguments: ConformancePromise.allCases)
    func `a recorder in front of Foundation's center keeps every promise but replay`(
        _ promise: ConformancePromise
    ) async throws {
        let replay = [
            ConformanceCheck.theLateBeginWithTheLatest, .eachSenderHasItsLatest, .theLatestGoesWithItsSender,
            .postsMayRaceWithTheLate, .asynchronousObserversBeginWithTheLatest,
        ]
        let exceptions = replay.map { ($0, "Tidings receives no posts of unobserved names from Foundation's center") }
        try await CenterConformance(except: Dictionary(uniqueKeysWithValues: exceptions), patience: Self.patience) {
            RecordingNotificationCenter(forwardingTo: NotificationCenter())
        }.check(promise)
    }

    @Test(arguments: ConformancePromise.allCases)
    func `a recorder in front of a recorder keeps every promise`(_ promise: ConformancePromise) async throws {
        try await CenterConformance(patience: Self.patience) {
            RecordingNotificationCenter(forwardingTo: RecordingNotificationCenter())
        }.check(promise)
    }
}
