import Foundation
import TestSupport
import Testing
import Tidings
import TidingsConformance

/// Random programs on centers, compared with a reference model.
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

    /// Runs programs of consecutive seeds until enough operations were performed or one program fails.
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
            if run.difference != nil {
                // After the first failure, a shorter time limit is enough.
                let failure = await ModelFailure(seed: seed, program) {
                    await ModelRun($0, patience: .milliseconds(500), on: make)
                }
                Issue.record("\(failure)")
                return
            }
            seed += 1
        } while done < operations && Self.seed == nil
        print("model: \(done) operations from the seeds \(first)..<\(seed)")
    }

    @Test(
        arguments: [
            SkippingCenter.self, SwappingCenter.self, RepeatingCenter.self, MiscountingCenter.self, EagerCenter.self,
            TardyCenter.self, LateCenter.self, FlatCenter.self, HoardingCenter.self, LingeringCenter.self,
            ForgetfulCenter.self, DeafCenter.self, CheerfulCenter.self,
        ] as [BrokenCenter.Type]) func `a planted defect is found and shrunk`(_ type: BrokenCenter.Type) async throws
    {
        let make = { type.init(base: NativeNotificationCenter()) }
        for seed in 1...1000 as ClosedRange<UInt64> {
            let program = ProgramGenerator.program(seed: seed)
            if await ModelRun(program, on: make).difference == nil { continue }
            let failure = await ModelFailure(seed: seed, program) { await ModelRun($0, on: make) }
            #expect(failure.program.reduce(0) { $0 + $1.count } <= 8, "\(failure)")
            #expect("\(failure)".contains("TIDINGS_MODEL_SEED=\(seed)"))
            return
        }
        Issue.record("\(type) was not found")
    }

    /// A defect in the calls of asynchronous observers.
    struct Plant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let asynchronously: any AsynchronousObserving
        let make: @Sendable () -> any TypedNotificationCenter

        init(_ asynchronously: any AsynchronousObserving) {
            testDescription = "\(type(of: asynchronously))"
            self.asynchronously = asynchronously
            make = { NativeNotificationCenter() }
        }

        init(_ type: BrokenCenter.Type) {
            testDescription = "\(type)"
            asynchronously = PackageObserving()
            make = { type.init(base: NativeNotificationCenter()) }
        }
    }

    @Test(
        arguments: [
            Plant(TaskForEach()), Plant(KeepingClosures()), Plant(IgnoringPolicies()), Plant(KeepingQueues()),
            Plant(SkippingCenter.self), Plant(RepeatingCenter.self), Plant(HoardingCenter.self),
        ]) func `a planted defect of asynchronous observers is found and shrunk`(_ plant: Plant) async throws
    {
        var patience = Duration.milliseconds(50)
        func run(_ program: Program) async -> ModelRun {
            await ModelRun(program, asynchronously: plant.asynchronously, patience: patience, on: plant.make)
        }
        for seed in 1...200 as ClosedRange<UInt64> {
            let program = ProgramGenerator.program(seed: seed, isAsynchronous: true)
            if await run(program).difference == nil { continue }
            // On a machine that is too slow, a sound center differs, too. Then both get more patience.
            let sound = await ModelRun(program, patience: patience) { NativeNotificationCenter() }
            if let difference = sound.difference {
                guard patience < .seconds(60) else {
                    Issue.record("A sound center: \(difference)")
                    return
                }
                patience *= 4
                continue
            }
            let failure = await ModelFailure(seed: seed, program, run: run)
            // The size of the shrunk program depends on timing: on a busy machine, a slow operation looks like a
            // failure.
            #expect(failure.program.count <= program.count)
            #expect("\(failure)".contains("TIDINGS_MODEL_SEED=\(seed)"))
            return
        }
        Issue.record("\(plant.testDescription) was not found")
    }

    @Test(arguments: [UnendingCenter.self, CarelessCenter.self] as [BrokenCenter.Type])
    func `a planted defect in finishing a center is found, and nothing is found without the defect`(
        _ type: BrokenCenter.Type
    ) async {
        // Only a run with asynchronous observers notices a notification that isn't handled.
        let isAsynchronous = type == CarelessCenter.self
        for seed in 1...200 as ClosedRange<UInt64> {
            let program = ProgramGenerator.program(seed: seed, isAsynchronous: isAsynchronous, finishes: true)
            let sound = await ModelRun(program) { BrokenListingCenter(base: NativeNotificationCenter()) }
            #expect(sound.difference == nil)
            let make = { type.init(base: NativeNotificationCenter()) }
            if await ModelRun(program, on: make).difference == nil { continue }
            let failure = await ModelFailure(seed: seed, program) { await ModelRun($0, on: make) }
            #expect(failure.program.contains { if case .finish = $0 { true } else { false } }, "\(failure)")
            return
        }
        Issue.record("\(type) was not found")
    }

    @Test func `the same seed always generates the same program`() {
        #expect(ProgramGenerator.program(seed: 1).text == ProgramGenerator.program(seed: 1).text)
        #expect(ProgramGenerator.program(seed: 1).text != ProgramGenerator.program(seed: 2).text)
    }
}
