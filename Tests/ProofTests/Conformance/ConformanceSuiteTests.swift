import Foundation
import TestSupport
import Testing
import Tidings
import TidingsConformance

/// The conformance suite has to report a failure for each broken promise.
///
/// On a busy machine, a test makes up to five attempts. `patience`, the time that the check waits without seeing
/// progress, grows from 0.3 to 77 seconds.
@Suite(.timeLimit(.minutes(10))) struct ConformanceSuiteTests {
    struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> any TypedNotificationCenter
        let asynchronously: any AsynchronousObserving
        let check: ConformanceCheck
        /// A part of the violation that the check has to report.
        let violation: String

        init(_ type: BrokenCenter.Type, breaks check: ConformanceCheck, saying violation: String) {
            testDescription = "\(type)"
            make = { type.init(base: NativeNotificationCenter()) }
            asynchronously = PackageObserving()
            self.check = check
            self.violation = violation
        }

        init(
            _ asynchronously: any AsynchronousObserving, breaks check: ConformanceCheck, saying violation: String = "?"
        ) {
            testDescription = "\(type(of: asynchronously))"
            make = { NativeNotificationCenter() }
            self.asynchronously = asynchronously
            self.check = check
            self.violation = violation
        }
    }

    static let breaches = [
        Breach(CastingCenter.self, breaks: .tellsTypesApart, saying: "observers called by one post of each type"),
        Breach(SharingCenter.self, breaks: .tellsCentersApart, saying: "observers called in one center"),
        Breach(RepeatingCenter.self, breaks: .callsEveryObserverOnce, saying: "notifications received by observers"),
        Breach(
            MiscountingCenter.self, breaks: .callsEveryObserverOnce,
            saying: "observers called by a post without observers"),
        Breach(SkippingCenter.self, breaks: .callsInOrderOfRegistration, saying: "the order of the calls"),
        Breach(SwappingCenter.self, breaks: .callsInOrderOfRegistration, saying: "the order of the calls"),
        Breach(SwappingCenter.self, breaks: .keepsOrderWhenSomeEnd, saying: "the order of the calls"),
        Breach(SwappingCenter.self, breaks: .ordersOwnedAndOthersAlike, saying: "the order of the calls"),
        Breach(
            EagerCenter.self, breaks: .theAddedWaitForTheNextPost,
            saying: "calls by a post that adds two observers and then makes a nested post"),
        Breach(TardyCenter.self, breaks: .theCancelledAreNotCalled, saying: "calls"),
        Breach(LateCenter.self, breaks: .oneMayCancelItself, saying: "observers called by the second post"),
        Breach(EagerCenter.self, breaks: .otherThreadsChangeItAlike, saying: "calls by the post in progress"),
        Breach(
            TardyCenter.self, breaks: .otherThreadsChangeItAlike, saying: "observers called by the post in progress"),
        Breach(FlatCenter.self, breaks: .observersMayPost, saying: "observers called by two nested posts"),
        Breach(TardyCenter.self, breaks: .observersMayAddAndCancelAtAnyDepth, saying: "calls of added observers"),
        Breach(
            LockingCenter.self, breaks: .noLockIsHeldMeanwhile,
            saying: "did not happen: other threads could post, add and cancel while the observer was running"),
        Breach(
            ClutchingCenter.self, breaks: .noLockIsHeldWhileReleasing,
            saying: "did not happen: in both centers, a cancel released the observer's captures"),
        Breach(
            LeasingCenter.self, breaks: .noLockIsHeldWhileReleasing,
            saying:
                "did not happen: in both centers, a registration after the owner's deallocation"),
        Breach(LateCenter.self, breaks: .cancelEndsTheObservation, saying: "a cancelled token is active"),
        Breach(ConfusedCenter.self, breaks: .cancelIsIdempotent, saying: "observers called"),
        Breach(TardyCenter.self, breaks: .cancelEndsPostsUnderWayOnItsThread, saying: "posts that called the observer"),
        Breach(HastyCenter.self, breaks: .drainWaitsForTheRunningCall, saying: "events"),
        Breach(HastyCenter.self, breaks: .drainWaitsForEveryCall, saying: "events"),
        Breach(ImpatientCenter.self, breaks: .drainWaitsForEveryCall, saying: "events"),
        Breach(
            PatientCenter.self, breaks: .drainEndsWithTheCall,
            saying: "did not happen: `cancelAndDrain` returned while the next observer was running"),
        Breach(
            PatientCenter.self, breaks: .drainDoesNotWaitForOthers,
            saying: "did not happen: `cancelAndDrain` of other observers returned while this observer was running"),
        Breach(
            StubbornCenter.self, breaks: .oneMayDrainItself,
            saying: "did not happen: `cancelAndDrain` returned in a task that the observer had started"),
        Breach(HoardingCenter.self, breaks: .releasesAtCancel, saying: "captures alive after a cancel"),
        Breach(LingeringCenter.self, breaks: .releasesWhenThePostsEnd, saying: "captures alive after the post"),
        Breach(
            LingeringCenter.self, breaks: .releasesWhenPostsOnOtherThreadsEnd, saying: "captures alive after the post"),
        Breach(
            LingeringCenter.self, breaks: .postsOfOtherTypesKeepNothing,
            saying: "captures alive after a cancel in the post of another type"),
        Breach(
            HoardingCenter.self, breaks: .anOwnerEndsTheObservation,
            saying: "captures alive after the owner was deallocated, and after a post"),
        Breach(
            ForgetfulCenter.self, breaks: .registrationReleasesDeadOwnersClosures,
            saying: "captures alive after the owners were deallocated, and after a registration"),
        Breach(
            LateCenter.self, breaks: .aTokenCanEndItBeforeTheOwner,
            saying: "observers called after the token was cancelled"),
        Breach(
            ClingingCenter.self, breaks: .aCenterCanGoWithObserversInIt, saying: "captures alive after the center's end"
        ),
        Breach(
            CheerfulCenter.self, breaks: .aCenterCanGoWithObserversInIt,
            saying: "a token is active although its center is gone"),
        Breach(CollectingCenter.self, breaks: .keepsNoNotifications, saying: "payloads alive after the post"),
        Breach(
            HoardingCenter.self, breaks: .deinitMayUseTheCenter, saying: "posts made in a `deinit`"),
        Breach(
            EquatingCenter.self, breaks: .objectsMatchByIdentity,
            saying: "number of observers that a post returned"),
        Breach(
            DeafCenter.self, breaks: .objectsMatchByIdentity, saying: "observers of an object called by its own posts"),
        Breach(
            AddressingCenter.self, breaks: .sendersAreHeldWeakly,
            saying: "a token is active although its sender is gone"),
        Breach(
            DeafCenter.self, breaks: .valuesMatchByEquality, saying: "observers of a value called for other senders"),
        Breach(
            HomeboundCenter.self, breaks: .valuesMatchOnEveryThread,
            saying: "number of observers that a post returned"),
        Breach(
            OutsideCenter.self, breaks: .valuesOfTheMainActorMatchThere,
            saying: "observers of a value called by posts of each value"),
        Breach(
            LiteralCenter.self, breaks: .nilFiltersNothing, saying: "number of observers that a post returned"),
        Breach(RetainingCenter.self, breaks: .sendersAreHeldWeakly, saying: "senders alive after their last use"),
        Breach(
            CheerfulCenter.self, breaks: .sendersAreHeldWeakly, saying: "a token is active although its sender is gone"),
        Breach(DeafCenter.self, breaks: .aRecycledAddressDoesNotMatch, saying: "observers of dead senders called"),
        Breach(
            ShufflingCenter.self, breaks: .asynchronousObserversKeepTheOrder, saying: "in another order"),
        Breach(
            SkippingCenter.self, breaks: .anAsynchronousObserverNeverOverlapsWithItself,
            saying: "did not happen: every notification arrived"),
        Breach(
            TaskForEach(), breaks: .anAsynchronousObserverNeverOverlapsWithItself,
            saying: "the observer overlaps with itself"),
        Breach(TaskForEach(), breaks: .whatIsQueuedIsDiscarded, saying: "received after the cancel"),
        Breach(TaskForEach(), breaks: .drainWaitsForAnAsynchronousCall, saying: "events"),
        Breach(
            TaskForEach(), breaks: .anAwaitingObserverNeverOverlapsWithItself,
            saying: "calls overlapped, or did not keep the order of the posts"),
        Breach(
            LettingGoOfCalls(), breaks: .anAwaitingObserverNeverOverlapsWithItself,
            saying: "calls overlapped, or did not keep the order of the posts"),
        Breach(TaskForEach(), breaks: .cancelLetsARunningCallFinish, saying: "events of the observer"),
        Breach(
            CancellingCalls(), breaks: .cancelLetsARunningCallFinish,
            saying: "whether the task of the running call was cancelled"),
        Breach(SwallowingErrors(), breaks: .aReceiptNamesWhoFailed, saying: "the errors in the receipt"),
        Breach(EndingWithErrors(), breaks: .aReceiptNamesWhoFailed, saying: "the errors in the receipt"),
        Breach(TaskForEach(), breaks: .aReceiptNamesWhoHasNotFinished, saying: "the observers that had not finished"),
        Breach(KeepingClosures(), breaks: .releasesAsynchronousObservers, saying: "captures alive after the cancel"),
        Breach(
            StubbornCenter.self, breaks: .asynchronousObserversMayDrainEachOther,
            saying: "did not happen: in the first observer, both calls of `cancelAndDrain` returned"),
        Breach(
            CollectingCenter.self, breaks: .anActorEndsTheObservation,
            saying: "did not happen: the notification was released"),
        Breach(
            ClingingCenter.self, breaks: .aCenterEndsItsSequences,
            saying: "did not happen: the loop ended when the center was deallocated"),
        Breach(
            ClingingCenter.self, breaks: .aCenterEndsItsSequences,
            saying: "observers that outlive the center: expected 0, found 1"),
        Breach(
            RetainingCenter.self, breaks: .aSenderEndsItsSequences,
            saying: "did not happen: the loop ended at the next post"),
        Breach(
            LateCenter.self, breaks: .sequencesLeaveNothingBehind, saying: "notifications alive after their sequences"),
        Breach(
            SkippingCenter.self, breaks: .whatWaitsWaitsWithoutBound,
            saying: "did not happen: the actor received all notifications"
        ),
        Breach(
            RepeatingCenter.self, breaks: .aPolicyCountsWhatItDrops,
            saying: "notifications received by the actor with oldest(3)"),
        Breach(MiscountingCenter.self, breaks: .aReceiptSaysWhatBecameOfADelivery, saying: "observers reached"),
        Breach(SkippingCenter.self, breaks: .aSlowObserverDelaysNobody, saying: "received by the observer in the post"),
        Breach(SwappingCenter.self, breaks: .mainActorNotificationsArriveInThePost, saying: "calls"),
        Breach(
            ComparingCenter.self, breaks: .mainActorSendersAreLookedAtThere,
            saying: "uses of a main-actor notification's sender off the main actor"),
        Breach(
            GraspingCenter.self, breaks: .mainActorSendersAreLookedAtThere,
            saying: "uses of a main-actor notification's sender off the main actor"),
        Breach(DismissiveCenter.self, breaks: .aDrainSaysWhatIsLeft, saying: "the places of unfinished observers"),
        Breach(
            UnendingCenter.self, breaks: .aFinishTakesNothingNew,
            saying: "the token of an observer is active although its center has finished"),
        Breach(
            HoardingCenter.self, breaks: .aFinishEndsItsSequences,
            saying: "the captures of an observer are alive although its center has finished"),
        Breach(AbruptCenter.self, breaks: .aFinishWaitsForPosts, saying: "observers whose call had not ended"),
        Breach(
            RepeatingCenter.self, breaks: .aConditionChooses,
            saying: "notifications received by an observer with a condition"),
        Breach(
            ShufflingCenter.self, breaks: .severalTypesKeepTheOrder,
            saying: "the sequence did not keep the order of the posts"),
        Breach(
            LoyalCenter.self, breaks: .anOwnersObserversCanBeRemoved,
            saying: "observers called after the removal"),
        Breach(OpeningCenter.self, breaks: .theLateBeginWithTheLatest, saying: "calls by the registration"),
        Breach(
            RehearsingCenter.self, breaks: .theLateBeginWithTheLatest,
            saying: "calls by the registration for a type that is not replayed"),
        Breach(
            MixingCenter.self, breaks: .eachSenderHasItsLatest,
            saying: "first notifications of the observers of each sender, and of all senders"),
        Breach(
            RememberingCenter.self, breaks: .theLatestGoesWithItsSender,
            saying: "the kept notification is alive although its sender is not"),
        Breach(StammeringCenter.self, breaks: .postsMayRaceWithTheLate, saying: "each once and in order"),
        Breach(
            OpeningCenter.self, breaks: .asynchronousObserversBeginWithTheLatest,
            saying: "notifications received by the actor"),
    ]

    @Test(arguments: breaches)
    func `the suite reports the broken promise, within a time limit that a correct center meets`(
        _ breach: Breach
    ) async {
        // On a slow machine, a correct center can also fail the check, and a broken center can fail it with another
        // violation. Both centers then get more time.
        var patience = Duration.milliseconds(300)
        while true {
            let sound = await CenterConformance(patience: patience) { NativeNotificationCenter() }
                .violations(of: breach.check)
            // The check of the broken center may take long, so it runs only if the correct center has passed.
            let broken =
                sound.isEmpty
                ? await CenterConformance(
                    except: [:], patience: patience, asynchronously: breach.asynchronously, make: breach.make
                ).violations(of: breach.check) : []
            if sound.isEmpty, broken.contains(where: { $0.contains(breach.violation) }) { return }
            guard patience < .seconds(60) else {
                Issue.record("\(breach.check): a correct center violates \(sound), the broken center \(broken)")
                return
            }
            patience *= 4
        }
    }

    @Test func `a failure names the promise, the check and the result`() async {
        let conformance = CenterConformance { MiscountingCenter() }
        let failure = await #expect(throws: ConformanceFailure.self) { try await conformance.check(.identity) }
        #expect(
            failure?.description.contains(
                "1. identity: \(ConformanceCheck.callsEveryObserverOnce): observers called: expected 3, found 4")
                == true,
            "\(failure?.description ?? "")")
    }

    @Test func `a check that passes although it is listed as an exception is reported`()
        async throws
    {
        try await CenterConformance(
            except: [
                .callsInOrderOfRegistration: "swaps", .keepsOrderWhenSomeEnd: "swaps",
                .ordersOwnedAndOthersAlike: "swaps",
            ], patience: .seconds(1_200)
        ) { SwappingCenter() }.check(.order)
        let wrong = CenterConformance(except: [.tellsCentersApart: "not so"], patience: .seconds(1_200)) {
            NativeNotificationCenter()
        }
        let failure = await #expect(throws: ConformanceFailure.self) { try await wrong.check(.identity) }
        #expect(failure?.violations.count == 1)
        #expect(failure?.description.contains("not so") == true)
    }

    @Test func `a check in a cancelled task reports the cancellation, because its waits end early`() async {
        let start = Gate()
        let check = Task {
            await start.wait()
            return await CenterConformance { NativeNotificationCenter() }.violations(of: .callsEveryObserverOnce)
        }
        check.cancel()
        start.open()
        #expect(await check.value == ["the task of the check was cancelled"])
    }

    @Test func `every check is tested with at least one broken center or delivery`() {
        #expect(Set(Self.breaches.map(\.check)) == Set(ConformanceCheck.all))
    }

    @Test(.disabled(if: hasAddressSanitizer, "the address sanitizer keeps freed memory for a while"))
    func `the suite creates a new sender at the address of a deallocated sender`() async {
        let conformance = CenterConformance { AddressingCenter() }
        #expect(await !conformance.violations(of: .aRecycledAddressDoesNotMatch).isEmpty)
    }

    private static var hasAddressSanitizer: Bool {
        unsafe dlopen(nil, RTLD_NOW).map { unsafe dlsym($0, "__asan_init") != nil } == true
    }

    @Test func `check() without arguments checks all promises`() async throws {
        try await CenterConformance { NativeNotificationCenter() }.check()
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await CenterConformance(patience: .seconds(1)) { MiscountingCenter() }.check()
        }
        #expect(failure?.violations.contains { $0.check == .callsEveryObserverOnce } == true)
    }

    @Test func `every check has its own name, and every promise has a check`() {
        #expect(Set(ConformanceCheck.all.map(\.description)).count == ConformanceCheck.all.count)
        #expect(Set(ConformanceCheck.all.map(\.promise)) == Set(ConformancePromise.allCases))
    }
}
