import TestSupport
import Testing
import TidingsTesting

@testable import Tidings

private struct Cleared: TypedNotification {}

@Suite(.timeLimit(.minutes(2))) struct CallMarkTests {
    private let center = NativeNotificationCenter()

    private static func load() async { Tidings.mark("reading the page") }

    @Test func `the warning about a hanging call contains the last step that the call has marked`() async throws {
        let (gate, begun, clock) = (Gate(), Gate(), ManualClock())
        let monitor = RecordingMonitor(keepsWhatTakesLong: true)
        let attachment = center.attach(
            monitor, interests: .warnings, thresholds: WarningThresholds(call: .seconds(10)), clock: clock)
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in
            Tidings.mark("waiting for the bank")
            Tidings.mark("sending the receipt")
            begun.open()
            await gate.wait()
        }
        let place = "\(#fileID):\(#line - 4)"
        center.post(Numbered(number: 0))
        await begun.wait()
        await eventually("a warning is reported") {
            if !monitor.warnings.isEmpty { return true }
            clock.advance(by: .seconds(5))
            return false
        }
        guard case .slowCall(_, _, _, let mark) = monitor.warnings.first else {
            Issue.record("there was no warning about a call that hangs: \(monitor.words)")
            return
        }
        #expect(mark?.name == "sending the receipt")
        #expect(mark.map { "\($0.place)" } == place)
        #expect(monitor.warnings.first?.description.contains("at \"sending the receipt\" (\(place))") == true)
        gate.open()
        await token.cancelAndDrain()
        withExtendedLifetime(attachment) {}
    }

    @Test
    func `a call's current step can be set by functions that it calls, by its child tasks and by nested posts`()
        async
    {
        let attachment = center.attach(RecordingMonitor())
        let (steps, center) = (ReceivedValues<String?>(), center)
        let inner = center.addObserver(for: Cleared.self) { _ in Tidings.mark("clearing") }
        let token = center.addObserver(on: .task, for: Numbered.self) { _ in
            func note() { steps.append(center.observations.compactMap(\.calls.mark).first?.name) }
            note()
            await Self.load()
            note()
            async let child: Void = { Tidings.mark("drawing") }()
            await child
            note()
            center.post(Cleared())
            note()
        }
        center.post(Numbered(number: 0))
        await center.drain(within: .seconds(600))
        #expect(steps.values == [nil, "reading the page", "drawing", "clearing"])
        withExtendedLifetime((attachment, inner, token)) {}
    }

    @Test func `a running call doesn't inherit the step of an earlier call of the same observer`() {
        marksAreKept.store(true, ordering: .relaxed)
        let mailbox = Mailbox<Int> { _ in }
        for number in 0..<3 { mailbox.put(number) }
        var steps: [String?] = []
        _ = mailbox.run(onFailure: nil) { number in
            if number != 1 { Tidings.mark("reading") }
            steps.append(mailbox.status.calls.mark?.name)
        }
        #expect(steps == ["reading", nil, "reading"])
        #expect(mailbox.status.calls.mark == nil)
    }

    @Test func `a step that is marked outside of a call, or after the call, belongs to no call`() async {
        let attachment = center.attach(RecordingMonitor())
        let (steps, center) = (ReceivedValues<String?>(), center)
        let (gate, tasks) = (Gate(), ReceivedValues<Task<Void, Never>>())
        Tidings.mark("outside")
        let token = center.addObserver(on: .task, for: Numbered.self) { note in
            if note.number == 0 {
                // The task inherits the task-local values of the call, and outlives the call.
                tasks.append(
                    Task {
                        await gate.wait()
                        Tidings.mark("too late")
                    })
                return
            }
            gate.open()
            await tasks.values.first?.value
            steps.append(center.observations.compactMap(\.calls.mark).first?.name)
        }
        center.post(Numbered(number: 0))
        await center.drain(within: .seconds(600))
        center.post(Numbered(number: 1))
        await center.drain(within: .seconds(600))
        #expect(steps.values == [nil])
        withExtendedLifetime((attachment, token)) {}
    }
}
