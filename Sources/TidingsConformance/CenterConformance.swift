public import Tidings

/// Checks that a center keeps the promises that ``ConformancePromise`` lists.
///
/// In a test of your own center, with any test framework, one line is enough:
///
/// ```swift
/// try await CenterConformance { MyCenter() }.check()
/// ```
///
/// List the checks that the center can't pass, with the reasons. A listed check has to fail:
///
/// ```swift
/// try await CenterConformance(except: [
///     "observers run in the order of registration, whether or not they observe only one sender":
///         "the broker does not keep order"
/// ]) { MyCenter() }.check()
/// ```
public struct CenterConformance: Sendable {
    private let exceptions: [ConformanceCheck: String]
    private let patience: Duration
    private let asynchronously: any AsynchronousObserving
    private let make: @Sendable () -> any TypedNotificationCenter

    /// Creates the checks of a center.
    ///
    /// - Parameters:
    ///   - exceptions: The checks that the center can't pass, with the reasons. Each key must be the
    ///     ``ConformanceCheck/description`` of a check in ``ConformanceCheck/all``, as it appears in a failure.
    ///   - patience: How long a check waits for the center without seeing progress. After that, the check fails.
    ///   - make: Creates a new center without observers. Nothing else may refer to this center.
    public init(
        except exceptions: [String: String] = [:], patience: Duration = .seconds(60),
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        let checks = exceptions.map { description, reason in
            guard let check = ConformanceCheck.all.first(where: { $0.description == description }) else {
                preconditionFailure("no check in ConformanceCheck.all has the description \"\(description)\"")
            }
            return (check, reason)
        }
        self.init(except: Dictionary(uniqueKeysWithValues: checks), patience: patience, make: make)
    }

    package init(
        except exceptions: [ConformanceCheck: String], patience: Duration = .seconds(60),
        asynchronously: any AsynchronousObserving = PackageObserving(),
        make: @escaping @Sendable () -> any TypedNotificationCenter
    ) {
        self.exceptions = exceptions
        self.patience = patience
        self.asynchronously = asynchronously
        self.make = make
    }

    /// Runs the checks of all promises.
    ///
    /// - Throws: A ``ConformanceFailure`` with all violations, and with the listed exceptions whose checks passed.
    public func check() async throws(ConformanceFailure) {
        try await run(ConformanceCheck.all)
    }

    /// Runs the checks of one promise.
    ///
    /// - Parameter promise: The promise.
    /// - Throws: A ``ConformanceFailure`` with all violations, and with the listed exceptions whose checks passed.
    public func check(_ promise: ConformancePromise) async throws(ConformanceFailure) {
        try await run(ConformanceCheck.all.filter { $0.promise == promise })
    }

    /// Runs one check, even if it is listed as an exception.
    ///
    /// - Parameter check: The check.
    /// - Returns: The violations.
    public func violations(of check: ConformanceCheck) async -> [String] {
        let trial = Trial(patience: patience, asynchronously: asynchronously, make: make)
        await check.run(trial, trial.center)
        // In a cancelled task, some waits return early, so the check may miss violations.
        trial.expect(!Task.isCancelled, "the task of the check was cancelled")
        trial.finish()
        return trial.violations
    }

    private func run(_ checks: [ConformanceCheck]) async throws(ConformanceFailure) {
        var failures: [ConformanceFailure.Violation] = []
        for check in checks {
            var violations = await violations(of: check)
            if let reason = exceptions[check] {
                violations = violations.isEmpty ? ["listed as an exception (\(reason)), but the check passes"] : []
            }
            failures += violations.map { ConformanceFailure.Violation(check: check, description: $0) }
        }
        if !failures.isEmpty { throw ConformanceFailure(violations: failures) }
    }
}

extension ConformanceCheck {
    /// All checks, in the order of the promises.
    public static let all: [ConformanceCheck] = [
        callsEveryObserverOnce, tellsTypesApart, tellsCentersApart, aConditionChooses,
        callsInOrderOfRegistration, keepsOrderWhenSomeEnd, ordersOwnedAndOthersAlike, asynchronousObserversKeepTheOrder,
        anAsynchronousObserverNeverOverlapsWithItself, anAwaitingObserverNeverOverlapsWithItself,
        severalTypesKeepTheOrder,
        theAddedWaitForTheNextPost, theCancelledAreNotCalled, oneMayCancelItself, otherThreadsChangeItAlike,
        observersMayPost, observersMayAddAndCancelAtAnyDepth, noLockIsHeldMeanwhile, noLockIsHeldWhileReleasing,
        cancelEndsTheObservation, cancelIsIdempotent, cancelEndsPostsUnderWayOnItsThread, drainWaitsForTheRunningCall,
        drainWaitsForEveryCall, drainEndsWithTheCall, drainDoesNotWaitForOthers, oneMayDrainItself,
        whatIsQueuedIsDiscarded, drainWaitsForAnAsynchronousCall, asynchronousObserversMayDrainEachOther,
        cancelLetsARunningCallFinish, anOwnersObserversCanBeRemoved,
        releasesAtCancel, releasesWhenThePostsEnd, releasesWhenPostsOnOtherThreadsEnd, postsOfOtherTypesKeepNothing,
        anOwnerEndsTheObservation, registrationReleasesDeadOwnersClosures, aTokenCanEndItBeforeTheOwner,
        aCenterCanGoWithObserversInIt, keepsNoNotifications, deinitMayUseTheCenter, releasesAsynchronousObservers,
        anActorEndsTheObservation, aCenterEndsItsSequences, aSenderEndsItsSequences, sequencesLeaveNothingBehind,
        aFinishEndsItsSequences,
        objectsMatchByIdentity, valuesMatchByEquality, valuesMatchOnEveryThread, valuesOfTheMainActorMatchThere,
        nilFiltersNothing, sendersAreHeldWeakly, aRecycledAddressDoesNotMatch,
        whatWaitsWaitsWithoutBound, aPolicyCountsWhatItDrops, aReceiptSaysWhatBecameOfADelivery, aReceiptNamesWhoFailed,
        aReceiptNamesWhoHasNotFinished, aDrainSaysWhatIsLeft, aFinishTakesNothingNew, aFinishWaitsForPosts,
        mainActorNotificationsArriveInThePost, mainActorSendersAreLookedAtThere, aSlowObserverDelaysNobody,
        theLateBeginWithTheLatest, eachSenderHasItsLatest, theLatestGoesWithItsSender, postsMayRaceWithTheLate,
        asynchronousObserversBeginWithTheLatest,
    ]
}

/// An error that lists the violations that checks found.
public struct ConformanceFailure: Error, CustomStringConvertible {
    /// A violation that a check found.
    public struct Violation: Sendable {
        /// The check.
        public let check: ConformanceCheck
        /// A description of the violation.
        public let description: String
    }

    /// All violations, in the order of the checks.
    public let violations: [Violation]

    /// The violations, one on each line.
    public var description: String {
        violations.map { "\($0.check.promise): \($0.check): \($0.description)" }.joined(separator: "\n")
    }
}
