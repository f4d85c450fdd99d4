import Foundation
import TestSupport
import Testing
import Tidings
import TidingsConformance
import TidingsFoundation

/// A kind of center to test against the promises, and the checks that it may fail.
struct CenterOnTrial: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let conformance: CenterConformance

    init(
        _ name: String, except exceptions: [ConformanceCheck: String] = [:],
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        testDescription = name
        conformance = CenterConformance(except: exceptions, patience: .seconds(1_200), make: make)
    }

    static let all = [
        CenterOnTrial("the native center") { NativeNotificationCenter() },
        CenterOnTrial("the native center with a monitor") { MonitoredCenter() },
        CenterOnTrial("Foundation's center", except: notReplayed("Tidings receives no posts of unobserved names")) {
            NotificationCenter()
        },
        CenterOnTrial("a center that forwards to a native one") { ForwardingCenter(to: NativeNotificationCenter()) },
        CenterOnTrial("a simple center written from scratch", except: simple) { SimpleCenter() },
    ]

    /// The checks that a center fails because it doesn't keep the latest notification.
    private static func notReplayed(_ reason: String) -> [ConformanceCheck: String] {
        Dictionary(
            uniqueKeysWithValues: [
                ConformanceCheck.theLateBeginWithTheLatest, .eachSenderHasItsLatest, .theLatestGoesWithItsSender,
                .postsMayRaceWithTheLate, .asynchronousObserversBeginWithTheLatest,
            ].map { ($0, reason) })
    }

    private static let simple = notFinished.merging(notReplayed("it does not keep the latest notification")) { $1 }

    private static let notFinished = Dictionary(
        uniqueKeysWithValues: [
            ConformanceCheck.aDrainSaysWhatIsLeft, .aFinishTakesNothingNew, .aFinishEndsItsSequences,
            .aFinishWaitsForPosts,
        ].map { ($0, "`drain` and `finish` do nothing in a custom center that forwards to no other center") })
}
