import TestSupport
import Testing
import Tidings
import TidingsConformance

/// Races between threads. They find the most errors when the thread sanitizer is enabled:
/// `swift test --disable-xctest --sanitize=thread --scratch-path .build-tsan -Xswiftc -DTSAN --filter RaceTests`.
@Suite(.offThePool, .serialized) struct RaceTests {
    @Test func `no call is lost or repeated while eight threads post, add and cancel observers of one type`() async {
        let violations = await Race(on: NativeNotificationCenter(), tags: ShotTags.one).run()
        #expect(violations == [])
    }

    @Test func `no call is lost or repeated while eight threads post, add and cancel observers of many types`() async {
        let violations = await Race(on: NativeNotificationCenter(), tags: ShotTags.many).run()
        #expect(violations == [])
    }

    @Test func `no call is lost or repeated while eight threads add, cancel and drain asynchronous observers`() async {
        let violations = await AsynchronousRace(on: NativeNotificationCenter()).run()
        #expect(violations == [])
    }

    struct Plant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asynchronously: any AsynchronousObserving
        let operations: Int
        let violation: String
        let make: @Sendable () -> any TypedNotificationCenter

        init(_ asynchronously: any AsynchronousObserving, operations: Int = 100, saying violation: String) {
            testDescription = "\(type(of: asynchronously))"
            (self.asynchronously, self.operations, self.violation) = (asynchronously, operations, violation)
            make = { NativeNotificationCenter() }
        }

        init(_ type: BrokenCenter.Type, saying violation: String) {
            testDescription = "\(type)"
            (asynchronously, operations, self.violation) = (PackageObserving(), 100, violation)
            make = { type.init(base: NativeNotificationCenter()) }
        }
    }

    @Test(
        arguments: [
            Plant(TaskForEach(), operations: 500, saying: "an observer overlaps with itself"),
            Plant(KeepingClosures(), saying: "closures are left"),
            Plant(SkippingCenter.self, saying: "posts made"),
            Plant(RepeatingCenter.self, saying: "a post was seen twice"),
        ])
    func `a race reports a planted defect of asynchronous observers, within a time limit that a correct center meets`(
        _ plant: Plant
    ) async {
        // On a slow machine, a correct center can also fail. Both centers then get more time.
        var patience = Duration.milliseconds(50)
        while true {
            let sound = await AsynchronousRace(
                on: NativeNotificationCenter(), operations: plant.operations, patience: patience
            ).run()
            if sound.isEmpty { break }
            guard patience < .seconds(60) else {
                Issue.record("A correct center fails: \(sound)")
                return
            }
            patience *= 4
        }
        let violations = await AsynchronousRace(
            on: plant.make(), asynchronously: plant.asynchronously, operations: plant.operations, patience: patience
        ).run()
        #expect(violations.contains { $0.contains(plant.violation) }, "\(violations)")
    }

    static let plants: [(BrokenCenter.Type, String)] = [
        (SkippingCenter.self, "posts called the steady observers"), (RepeatingCenter.self, "a post was seen twice"),
        (MiscountingCenter.self, "posts returned"), (LateCenter.self, "a post that began after the cancel"),
        (SwappingCenter.self, "the second observer was called before the first one"),
        (HoardingCenter.self, "closures are left"),
    ]

    @Test(arguments: plants)
    func `a race reports a planted defect`(_ type: BrokenCenter.Type, _ violation: String) async {
        let violations = await Race(on: type.init(base: SimpleCenter()), tags: ShotTags.one, operations: 200).run()
        #expect(violations.contains { $0.contains(violation) }, "\(violations)")
    }

    @Test func `a correct center passes the short race that reports planted defects`() async {
        #expect(await Race(on: SimpleCenter(), tags: ShotTags.one, operations: 200).run() == [])
    }

    #if TSAN
        @Test func `the thread sanitizer catches a planted race`() async {
            let child = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                // Sends the report to standard error, because CI fails if a report is in the folder for reports.
                unsafe setReportPath("stderr")
                _ = await Race(on: RacyCenter(), tags: ShotTags.many).run()
            }
            let report = String(decoding: child?.standardErrorContent ?? [], as: UTF8.self)
            #expect(report.contains("ThreadSanitizer: data race"), "\(report.prefix(2000))")
            #expect(report.contains("RacyCenter"), "\(report.prefix(2000))")
        }
    #endif
}

#if TSAN
    /// Sets where the thread sanitizer of this process writes its reports. The function belongs to the sanitizer's
    /// runtime. No module declares it.
    @_silgen_name("__sanitizer_set_report_path") private func setReportPath(_ path: UnsafePointer<CChar>)
#endif
