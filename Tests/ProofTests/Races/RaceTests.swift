import TestSupport
import Testing
import Tidings

/// Races between threads. They find the most under the thread sanitizer:
/// `swift test --disable-xctest --sanitize=thread --scratch-path .build-tsan -Xswiftc -DTSAN --filter RaceTests`.
@Suite(.offThePool, .serialized) struct RaceTests {
    @Test func `eight threads post to, add and cancel observers of one type`() async {
        let violations = await Race(on: NativeNotificationCenter(), tags: ShotTags.one).run()
        #expect(violations == [])
    }

    @Test func `eight threads post to, add and cancel observers of many types`() async {
        let violations = await Race(on: NativeNotificationCenter(), tags: ShotTags.many).run()
        #expect(violations == [])
    }

    @Test func `eight threads post, add, cancel and drain asynchronous observers`() async {
        let violations = await AsynchronousRace(on: NativeNotificationCenter()).run()
        #expect(violations == [])
    }

    @Test func `a planted defect of asynchronous observers is found`() async {
        for race in [
            AsynchronousRace(
                on: NativeNotificationCenter(), asynchronously: TaskForEach(), operations: 500,
                patience: .milliseconds(50)),
            AsynchronousRace(
                on: NativeNotificationCenter(), asynchronously: KeepingClosures(), operations: 100,
                patience: .milliseconds(50)),
            AsynchronousRace(on: SkippingCenter(), operations: 100, patience: .milliseconds(50)),
            AsynchronousRace(on: RepeatingCenter(), operations: 100, patience: .milliseconds(50)),
        ] {
            let violations = await race.run()
            #expect(!violations.isEmpty)
        }
    }

    @Test(
        arguments: [
            SkippingCenter.self, RepeatingCenter.self, MiscountingCenter.self, LateCenter.self, SwappingCenter.self,
            HoardingCenter.self,
        ] as [BrokenCenter.Type]) func `a planted defect is found`(_ type: BrokenCenter.Type) async
    {
        let violations = await Race(on: type.init(base: SimpleCenter()), tags: ShotTags.one, operations: 200).run()
        #expect(!violations.isEmpty)
    }

    #if TSAN
        @Test func `the thread sanitizer catches a planted race`() async {
            let child = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                // The report goes to standard error, not to the file in which the CI steps collect unexpected reports.
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
    /// Sets where the thread sanitizer of this process writes its reports. It is a function of the sanitizer's runtime,
    /// which no module declares.
    @_silgen_name("__sanitizer_set_report_path") private func setReportPath(_ path: UnsafePointer<CChar>)
#endif
