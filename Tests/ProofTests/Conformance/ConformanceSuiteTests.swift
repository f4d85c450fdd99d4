import TestSupport
import Testing
import Tidings
import TidingsConformance

/// Tests of the conformance suite: for each broken promise, the suite has to report a failure.
@Suite(.timeLimit(.minutes(2))) struct ConformanceSuiteTests {
    struct Breach: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable () -> any TypedNotificationCenter
        let asynchronously: any AsynchronousObserving
        let check: ConformanceCheck

        init(_ type: BrokenCenter.Type, breaks check: ConformanceCheck) {
            testDescription = "\(type)"
            make = { type.init(base: NativeNotificationCenter()) }
            asynchronously = PackageObserving()
            self.check = check
        }

        /// Creates a breach from a correct center with a broken delivery.
        init(_ asynchronously: any AsynchronousObserving, breaks check: ConformanceCheck) {
            testDescription = "\(type(of: asynchronously))"
            make = { NativeNotificationCenter() }
            self.asynchronously = asynchronously
            self.check = check
        }
    }

    static let breaches = [
        Breach(CastingCenter.self, breaks: .tellsTypesApart),
        Breach(SharingCenter.self, breaks: .tellsCentersApart),
        Breach(RepeatingCenter.self, breaks: .callsEveryObserverOnce),
        Breach(MiscountingCenter.self, breaks: .callsEveryObserverOnce),
        Breach(SkippingCenter.self, breaks: .callsInOrderOfRegistration),
        Breach(SwappingCenter.self, breaks: .callsInOrderOfRegistration),
        Breach(SwappingCenter.self, breaks: .keepsOrderWhenSomeEnd),
        Breach(SwappingCenter.self, breaks: .ordersOwnedAndOthersAlike),
        Breach(EagerCenter.self, breaks: .theAddedWaitForTheNextPost),
        Breach(TardyCenter.self, breaks: .theCancelledAreNotCalled),
        Breach(LateCenter.self, breaks: .oneMayCancelItself),
        Breach(EagerCenter.self, breaks: .otherThreadsChangeItAlike),
        Breach(TardyCenter.self, breaks: .otherThreadsChangeItAlike),
        Breach(FlatCenter.self, breaks: .observersMayPost),
        Breach(TardyCenter.self, breaks: .observersMayAddAndCancelAtAnyDepth),
        Breach(LockingCenter.self, breaks: .noLockIsHeldMeanwhile),
        Breach(ClutchingCenter.self, breaks: .noLockIsHeldWhileReleasing),
        Breach(LeasingCenter.self, breaks: .noLockIsHeldWhileReleasing),
        Breach(LateCenter.self, breaks: .cancelEndsTheObservation),
        Breach(ConfusedCenter.self, breaks: .cancelIsIdempotent),
        Breach(TardyCenter.self, breaks: .cancelEndsPostsUnderWayOnItsThread),
        Breach(HastyCenter.self, breaks: .drainWaitsForTheRunningCall),
        Breach(HastyCenter.self, breaks: .drainWaitsForEveryCall),
        Breach(ImpatientCenter.self, breaks: .drainWaitsForEveryCall),
        Breach(PatientCenter.self, breaks: .drainEndsWithTheCall),
        Breach(PatientCenter.self, breaks: .drainDoesNotWaitForOthers),
        Breach(StubbornCenter.self, breaks: .oneMayDrainItself),
        Breach(HoardingCenter.self, breaks: .releasesAtCancel),
        Breach(LingeringCenter.self, breaks: .releasesWhenThePostsEnd),
        Breach(LingeringCenter.self, breaks: .releasesWhenPostsOnOtherThreadsEnd),
        Breach(LingeringCenter.self, breaks: .postsOfOtherTypesKeepNothing),
        Breach(HoardingCenter.self, breaks: .anOwnerEndsTheObservation),
        Breach(ForgetfulCenter.self, breaks: .registrationReleasesDeadOwnersClosures),
        Breach(LateCenter.self, breaks: .aTokenCanEndItBeforeTheOwner),
        Breach(ClingingCenter.self, breaks: .aCenterCanGoWithObserversInIt),
        Breach(CheerfulCenter.self, breaks: .aCenterCanGoWithObserversInIt),
        Breach(CollectingCenter.self, breaks: .keepsNoNotifications),
        Breach(HoardingCenter.self, breaks: .deinitMayUseTheCenter),
        Breach(EquatingCenter.self, breaks: .objectsMatchByIdentity),
        Breach(DeafCenter.self, breaks: .objectsMatchByIdentity),
        Breach(AddressingCenter.self, breaks: .sendersAreHeldWeakly),
        Breach(DeafCenter.self, breaks: .valuesMatchByEquality),
        Breach(HomeboundCenter.self, breaks: .valuesMatchOnEveryThread),
        Breach(OutsideCenter.self, breaks: .valuesOfTheMainActorMatchThere),
        Breach(LiteralCenter.self, breaks: .nilFiltersNothing),
        Breach(RetainingCenter.self, breaks: .sendersAreHeldWeakly),
        Breach(CheerfulCenter.self, breaks: .sendersAreHeldWeakly),
        Breach(DeafCenter.self, breaks: .aRecycledAddressDoesNotMatch),
        Breach(ShufflingCenter.self, breaks: .asynchronousObserversKeepTheOrder),
        Breach(SkippingCenter.self, breaks: .anAsynchronousObserverNeverOverlapsWithItself),
        Breach(TaskForEach(), breaks: .anAsynchronousObserverNeverOverlapsWithItself),
        Breach(TaskForEach(), breaks: .whatIsQueuedIsDiscarded),
        Breach(TaskForEach(), breaks: .drainWaitsForAnAsynchronousCall),
        Breach(TaskForEach(), breaks: .anAwaitingObserverNeverOverlapsWithItself),
        Breach(LettingGoOfCalls(), breaks: .anAwaitingObserverNeverOverlapsWithItself),
        Breach(TaskForEach(), breaks: .cancelLetsARunningCallFinish),
        Breach(CancellingCalls(), breaks: .cancelLetsARunningCallFinish),
        Breach(SwallowingErrors(), breaks: .aReceiptNamesWhoFailed),
        Breach(EndingWithErrors(), breaks: .aReceiptNamesWhoFailed),
        Breach(TaskForEach(), breaks: .aReceiptNamesWhoHasNotFinished),
        Breach(KeepingClosures(), breaks: .releasesAsynchronousObservers),
        Breach(StubbornCenter.self, breaks: .asynchronousObserversMayDrainEachOther),
        Breach(CollectingCenter.self, breaks: .anActorEndsTheObservation),
        Breach(ClingingCenter.self, breaks: .aCenterEndsItsSequences),
        Breach(RetainingCenter.self, breaks: .aSenderEndsItsSequences),
        Breach(LateCenter.self, breaks: .sequencesLeaveNothingBehind),
        Breach(SkippingCenter.self, breaks: .whatWaitsWaitsWithoutBound),
        Breach(RepeatingCenter.self, breaks: .aPolicyCountsWhatItDrops),
        Breach(MiscountingCenter.self, breaks: .aReceiptSaysWhatBecameOfADelivery),
        Breach(SkippingCenter.self, breaks: .aSlowObserverDelaysNobody),
        Breach(SwappingCenter.self, breaks: .mainActorNotificationsArriveInThePost),
        Breach(ComparingCenter.self, breaks: .mainActorSendersAreLookedAtThere),
        Breach(GraspingCenter.self, breaks: .mainActorSendersAreLookedAtThere),
        Breach(DismissiveCenter.self, breaks: .aDrainSaysWhatIsLeft),
        Breach(UnendingCenter.self, breaks: .aFinishTakesNothingNew),
        Breach(HoardingCenter.self, breaks: .aFinishEndsItsSequences),
        Breach(AbruptCenter.self, breaks: .aFinishWaitsForPosts),
        Breach(RepeatingCenter.self, breaks: .aConditionChooses),
        Breach(ShufflingCenter.self, breaks: .severalTypesKeepTheOrder),
        Breach(LoyalCenter.self, breaks: .anOwnersObserversCanBeRemoved),
        Breach(OpeningCenter.self, breaks: .theLateBeginWithTheLatest),
        Breach(RehearsingCenter.self, breaks: .theLateBeginWithTheLatest),
        Breach(MixingCenter.self, breaks: .eachSenderHasItsLatest),
        Breach(RememberingCenter.self, breaks: .theLatestGoesWithItsSender),
        Breach(StammeringCenter.self, breaks: .postsMayRaceWithTheLate),
        Breach(OpeningCenter.self, breaks: .asynchronousObserversBeginWithTheLatest),
    ]

    @Test(arguments: breaches) func `the suite finds a broken promise`(_ breach: Breach) async {
        let conformance = CenterConformance(
            patience: .milliseconds(300), asynchronously: breach.asynchronously, make: breach.make)
        let violations = await conformance.violations(of: breach.check)
        #expect(!violations.isEmpty, "\(breach.check)")
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

    @Test func `an exception has to fail, which keeps the list of exceptions up to date`() async throws {
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

    @Test func `every check finds at least one breach`() {
        #expect(Set(Self.breaches.map(\.check)) == Set(ConformanceCheck.all))
    }

    @Test(.enabled(if: recyclesAddresses, "the address sanitizer keeps freed memory for a while"))
    func `the suite creates a new sender at the address of a deallocated one`() async {
        let conformance = CenterConformance { AddressingCenter() }
        #expect(await !conformance.violations(of: .aRecycledAddressDoesNotMatch).isEmpty)
    }

    private static var recyclesAddresses: Bool {
        Set((0..<100).map { _ in ObjectIdentifier(SimpleCenter()) }).count < 100
    }

    @Test func `every check runs and has one name`() {
        #expect(Set(ConformanceCheck.all).count == ConformanceCheck.all.count)
        #expect(Set(ConformanceCheck.all.map(\.promise)) == Set(ConformancePromise.allCases))
    }
}
