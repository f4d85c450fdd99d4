import Foundation
import TestSupport
import Testing
import Tidings
import TidingsConformance

/// Runs random programs on centers, and compares the events with the events of a reference model.
///
/// A program that fails is shrunk and printed with its seed. To run it again:
/// `TIDINGS_MODEL_SEED=17 swift test --filter ModelTests`. For a longer run, set `TIDINGS_MODEL_OPERATIONS`.
@Suite(.timeLimit(.ofRandomPrograms)) struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = environment["TIDINGS_MODEL_SEED"].flatMap(UInt64.init)
    private static let operations = environment["TIDINGS_MODEL_OPERATIONS"].flatMap(Int.init) ?? 40_000

    @Test func `the native center agrees with the model`() async {
        await check(operations: Self.operations, finishes: true) { NativeNotificationCenter() }
    }

    @Test func `a simple center written from scratch agrees with the model`() async {
        await check(operations: Self.operations / 20) { SimpleCenter() }
    }

    @Test func `asynchronous observers of the native center agree with the model`() async {
        await check(operations: Self.operations / 10, isAsynchronous: true, finishes: true) {
            NativeNotificationCenter()
        }
    }

    @Test func `asynchronous observers of a simple center agree with the model`() async {
        await check(operations: Self.operations / 100, isAsynchronous: true) { SimpleCenter() }
    }

    private func check(
        operations: Int, isAsynchronous: Bool = false, finishes: Bool = false,
        make: () -> any TypedNotificationCenter
    ) async {
        let first = Self.seed ?? UInt64.random(in: 0..<UInt64.max / 2)
        var seed = first
        var done = 0
        repeat {
            let program = ProgramGenerator.program(seed: seed, isAsynchronous: isAsynchronous, finishes: finishes)
            let run = await ModelRun(program, on: make)
            done += run.operations
            if let difference = run.difference {
                // Shrinking runs the program many times, so it uses a shorter time limit.
                let failure = await ModelFailure(seed: seed, program, violation: difference.violation) {
                    await ModelRun($0, patience: .milliseconds(500), on: make)
                }
                Issue.record("\(failure)")
                return
            }
            seed += 1
        } while done < operations && Self.seed == nil
        print("model: \(done) operations from the seeds \(first)..<\(seed)")
    }

    struct Plant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asynchronously: any AsynchronousObserving
        let violation: String
        let make: @Sendable () -> any TypedNotificationCenter

        init(_ asynchronously: any AsynchronousObserving, saying violation: String) {
            testDescription = "\(type(of: asynchronously))"
            (self.asynchronously, self.violation) = (asynchronously, violation)
            make = { NativeNotificationCenter() }
        }

        init(_ type: BrokenCenter.Type, saying violation: String) {
            testDescription = "\(type)"
            (asynchronously, self.violation) = (PackageObserving(), violation)
            make = { type.init(base: NativeNotificationCenter()) }
        }

        /// Finds a program that causes the violation in the broken center and passes in a correct center. Returns
        /// this program, shrunk. If the correct center fails, the machine is slow, so the time limit grows.
        func failure(
            seeds: ClosedRange<UInt64>, isAsynchronous: Bool = false, finishes: Bool = false,
            patience first: Duration = .seconds(60),
            sound: () -> any TypedNotificationCenter = { NativeNotificationCenter() }
        ) async -> ModelFailure? {
            var patience = first
            var others: Set<String> = []
            func run(_ program: Program, _ patience: Duration) async -> ModelRun {
                await ModelRun(program, asynchronously: asynchronously, patience: patience, on: make)
            }
            for seed in seeds {
                let program = ProgramGenerator.program(
                    seed: seed, isAsynchronous: isAsynchronous, finishes: finishes)
                guard let found = await run(program, patience).difference else { continue }
                if let difference = await ModelRun(program, patience: patience, on: sound).difference {
                    guard patience < .seconds(60) else {
                        Issue.record("A correct center fails: \(difference)")
                        return nil
                    }
                    patience *= 4
                    continue
                }
                others.insert(found.violation)
                if found.violation == violation {
                    // Shrinking often waits until the limit passes, so it uses the first limit, not the grown one.
                    return await ModelFailure(seed: seed, program, violation: violation) { await run($0, first) }
                }
            }
            Issue.record("\(testDescription) was not found. Other violations: \(others.sorted())")
            return nil
        }
    }

    private static let notCalled = "an observer was not called"
    private static let called = "an observer was called although it must not be"
    private static let kept = "the closure of an observer that has ended is kept"
    private static let active = "the token of an observer that has ended is active"

    @Test(
        arguments: [
            Plant(SkippingCenter.self, saying: notCalled),
            Plant(SwappingCenter.self, saying: "observers were called in the wrong order"),
            Plant(RepeatingCenter.self, saying: called),
            Plant(MiscountingCenter.self, saying: "a post returned the wrong number of calls"),
            Plant(EagerCenter.self, saying: called), Plant(TardyCenter.self, saying: called),
            Plant(LateCenter.self, saying: called), Plant(FlatCenter.self, saying: notCalled),
            Plant(HoardingCenter.self, saying: kept), Plant(LingeringCenter.self, saying: kept),
            Plant(ForgetfulCenter.self, saying: kept), Plant(DeafCenter.self, saying: called),
            Plant(CheerfulCenter.self, saying: active),
        ]) func `a planted defect is reported together with a shrunk program`(_ plant: Plant) async throws
    {
        let failure = try #require(await plant.failure(seeds: 1...1000))
        #expect(failure.program.reduce(0) { $0 + $1.count } <= 8, "\(failure)")
        #expect("\(failure)".contains(plant.violation), "\(failure)")
        #expect("\(failure)".contains("TIDINGS_MODEL_SEED=\(failure.seed)"))
    }

    @Test(
        arguments: [
            Plant(TaskForEach(), saying: "two calls at a time"), Plant(KeepingClosures(), saying: kept),
            Plant(IgnoringPolicies(), saying: called), Plant(KeepingQueues(), saying: kept),
            Plant(SkippingCenter.self, saying: notCalled), Plant(RepeatingCenter.self, saying: called),
            Plant(HoardingCenter.self, saying: kept),
        ]) func `a planted defect of asynchronous observers is reported together with a shrunk program`(_ plant: Plant)
        async throws
    {
        let failure = try #require(
            await plant.failure(seeds: 1...200, isAsynchronous: true, patience: .milliseconds(50)))
        // The size of the shrunk program depends on timing: on a busy machine, a slow operation looks like a failure.
        #expect(failure.program.count <= ProgramGenerator.program(seed: failure.seed, isAsynchronous: true).count)
        #expect("\(failure)".contains("TIDINGS_MODEL_SEED=\(failure.seed)"))
    }

    @Test(arguments: [
        Plant(UnendingCenter.self, saying: kept),
        Plant(CarelessCenter.self, saying: "a finish returned the wrong number of observers"),
    ])
    func `a planted defect in finishing a center is reported, and nothing is reported without the defect`(
        _ plant: Plant
    )
        async throws
    {
        // `CarelessCenter` doesn't wait for asynchronous observers, so only programs with such observers detect it.
        let failure = try #require(
            await plant.failure(
                seeds: 1...200, isAsynchronous: plant.testDescription == "CarelessCenter", finishes: true,
                sound: { BrokenListingCenter(base: NativeNotificationCenter()) }))
        #expect(failure.program.contains { if case .finish = $0 { true } else { false } }, "\(failure)")
    }

    @Test func `the same seed always generates the same program`() {
        #expect(ProgramGenerator.program(seed: 1).text == ProgramGenerator.program(seed: 1).text)
        #expect(ProgramGenerator.program(seed: 1).text != ProgramGenerator.program(seed: 2).text)
    }
}
