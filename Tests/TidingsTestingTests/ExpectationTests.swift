import TestSupport
import Testing
import Tidings
import TidingsTesting

@Suite(.timeLimit(.minutes(2))) struct ExpectationTests {
    private let recorder = RecordingNotificationCenter()

    // MARK: Exactly these

    @Test func `an exact expectation accepts only the listed notifications, in the listed order`() async {
        recorder.post(Saved(id: 1))
        recorder.post(Closed())
        await recorder.expectPosted(exactly: .equal(to: Saved(id: 1)), .any(Closed.self))
        await recorder.expectPosted(Saved.self, exactly: [Saved(id: 1)])
    }

    @Test func `a report shows missing and unexpected notifications at their places in the order`() async {
        recorder.post(Saved(id: 1))
        recorder.post(Closed())
        await fails(
            line: 6,
            saying:
                "Expected exactly these notifications in this order. Expected: 2. Posted: 2, missing (-): 1, not expected (+): 1.",
            "\n  Saved(id: 1)", "\n- Saved(id: 2)", "\n+ Closed()"
        ) {
            await recorder.expectPosted(exactly: .equal(to: Saved(id: 1)), .equal(to: Saved(id: 2)))
        }
        await fails(saying: "Expected exactly these Saved in this order. Expected: 0.", "+ Saved(id: 1)") {
            await recorder.expectPosted(Saved.self, exactly: [])
        }
    }

    @Test func `the right notifications in the wrong order fail the expectation`() async {
        recorder.post(Closed())
        recorder.post(Saved(id: 1))
        await fails(saying: "missing (-): 1", "- Saved(id: 1)", "  Closed()", "+ Saved(id: 1)") {
            await recorder.expectPosted(exactly: .equal(to: Saved(id: 1)), .any(Closed.self))
        }
    }

    @Test @MainActor func `exact expectations work for main-actor notifications`() async {
        recorder.post(DidShow(number: 1))
        await recorder.expectPosted(DidShow.self)
        await recorder.expectPosted(DidShow.self) { $0.number == 1 }
        await recorder.expectPosted(DidShow.self, exactly: [DidShow(number: 1)])
        await recorder.expectPosted(exactly: .equal(to: DidShow(number: 1)))
        await recorder.expectNothingPosted(.any(DidShow.self) { $0.number == 2 })
        await fails(saying: "Expected a matching DidShow, but none was posted.") {
            await recorder.expectPosted(DidShow.self) { $0.number == 2 }
        }
        await fails(saying: "- DidShow(number: 2)", "+ DidShow(number: 1)") {
            await recorder.expectPosted(DidShow.self, exactly: [DidShow(number: 2)])
        }
    }

    @Test func `expectations include posts by asynchronous observers`() async {
        let tokens = observers(depth: 3)
        recorder.post(Saved(id: 0))
        await recorder.expectPosted(Saved.self, exactly: (0...3).map { Saved(id: $0) })
        withExtendedLifetime(tokens) {}
    }

    // MARK: At least one

    @Test func `the recorder expects at least one notification that matches`() async {
        recorder.post(Saved(id: 1))
        await recorder.expectPosted(Saved.self)
        await recorder.expectPosted(Saved.self) { $0.id == 1 }
        await recorder.expectPosted(.equal(to: Saved(id: 1)))
        await fails(saying: "Expected a matching Saved, but none was posted.", "Posted:", "  1. Saved(id: 1)") {
            await recorder.expectPosted(Saved.self) { $0.id == 2 }
        }
        await fails(saying: "Expected any Closed, but none was posted.") {
            await recorder.expectPosted(Closed.self)
        }
        recorder.forget()
        await fails(saying: "Expected Saved(id: 1), but none was posted.", "Nothing was posted.") {
            await recorder.expectPosted(.equal(to: Saved(id: 1)))
        }
    }

    @Test @MainActor func `matching expectations work for main-actor notifications`() async {
        recorder.post(DidShow(number: 1))
        recorder.post(WillShow(draft: Draft()))
        await recorder.expectPosted(
            exactly: .any(DidShow.self) { $0.number == 1 }, .any(WillShow.self))
        await recorder.expectPosted(.equal(to: DidShow(number: 1)))
        await fails(saying: "Did not expect any WillShow. Posted: 1.") {
            await recorder.expectNothingPosted(of: WillShow.self)
        }
    }

    @Test func `a report lists the notifications held at the gate`() async {
        let tokens = observers(depth: 1)
        recorder.gate.close()
        recorder.post(Saved(id: 0))
        await fails(
            line: 3, saying: "Expected Saved(id: 1)", "The gate is closed and holds:", "Saved(id: 0) for the observer"
        ) {
            await recorder.expectPosted(.equal(to: Saved(id: 1)))
        }
        withExtendedLifetime(tokens) {}
    }

    // MARK: None

    @Test func `the recorder waits for all observers before it checks that no notification was posted`() async {
        await recorder.expectNothingPosted()
        let tokens = observers(depth: 5)
        recorder.post(Saved(id: 0))
        await recorder.expectNothingPosted(of: Closed.self)
        await recorder.expectNothingPosted(.equal(to: Saved(id: 6)))
        recorder.forget()
        recorder.post(Saved(id: 0))
        // The last of five observers that run one after the other posts `Saved(id: 5)`.
        await fails(saying: "Did not expect Saved(id: 5). Posted: 1.", "1. Saved(id: 5)") {
            await recorder.expectNothingPosted(.equal(to: Saved(id: 5)))
        }
        await fails(saying: "Expected no notification. Posted: 6.", "6. Saved(id: 5)") {
            await recorder.expectNothingPosted()
        }
        withExtendedLifetime(tokens) {}
    }

    @Test func `if the test is cancelled, the report lists the observers that haven't finished`() async {
        let gate = Gate()
        let line = #line + 1
        let token = recorder.addObserver(on: .task, for: Saved.self) { _ in await gate.wait() }
        recorder.post(Saved(id: 1))
        await fails(
            line: 6, saying: "The test was cancelled before these observers had finished:",
            "1. Saved(id: 1) for the observer in a task that was registered at", "ExpectationTests.swift:\(line)"
        ) {
            await Task { [recorder] in
                cancelCurrentTask()
                await recorder.expectNothingPosted(of: Closed.self)
            }.value
        }
        gate.open()
        await recorder.drain()
        withExtendedLifetime(token) {}
    }

    // MARK: Within a time

    @Test func `the time limit is measured by the clock that is passed`() async {
        let clock = ManualClock()
        await recorder.expectPosted(.any(Saved.self), within: .seconds(5), on: clock) {
            clock.advance(by: .seconds(5))
            recorder.post(Saved())
        }
    }

    @Test func `a notification posted at the time limit itself is in time`() async {
        let clock = ManualClock()
        let advancing = Task {
            await clock.waitForSleepers(2)
            clock.advance(by: .seconds(5))
        }
        await recorder.expectPosted(.any(Saved.self), within: .seconds(5), on: clock) {
            Task { [recorder] in
                try await clock.sleep(for: .seconds(5))
                recorder.post(Saved())
            }
            await clock.waitForSleepers()
        }
        await advancing.value
    }

    @Test func `a notification posted after the time limit is too late`() async {
        let clock = ManualClock()
        await fails(
            line: 5, saying: "Expected any Saved within 5.0 seconds.",
            "The first one was posted 5.001 seconds after the start.",
            "1. Saved(id: 7)"
        ) {
            await recorder.expectPosted(.any(Saved.self), within: .seconds(5), on: clock) {
                clock.advance(by: .milliseconds(5_001))
                recorder.post(Saved(id: 7))
            }
        }
    }

    @Test func `a notification that is never posted is too late`() async {
        let clock = ManualClock()
        await fails(saying: "Expected any Saved within 5.0 seconds.", "None was posted in that time.", "1. Closed()") {
            await recorder.expectPosted(.any(Saved.self), within: .seconds(5), on: clock, patience: .zero) {
                recorder.post(Closed())
                clock.advance(by: .seconds(5))
            }
        }
    }

    @Test func `without a clock, the time limit is in real time`() async {
        await recorder.expectPosted(.any(Saved.self), within: .seconds(3600)) {
            Task { [recorder] in recorder.post(Saved()) }
        }
        await fails(saying: "Expected any Saved within 0.001 seconds.", "None was posted in that time.") {
            await recorder.expectPosted(.any(Saved.self), within: .milliseconds(1)) { recorder.post(Closed()) }
        }
    }

    @Test func `without a clock, the time limit may be of any length`() async {
        await recorder.expectPosted(.any(Saved.self), within: .seconds(Int64.max)) { recorder.post(Saved()) }
    }

    // MARK: Released

    private final class Model: Sendable {
        let document = Document()
        private let tokens = Lock<[NotificationToken]>([])

        func observe(_ center: any TypedNotificationCenter, capturing: Bool) {
            let token = center.addObserver(for: Saved.self) { [document] _ in
                if capturing { withExtendedLifetime(document) {} }
            }
            tokens.withLock { $0.append(token) }
        }
    }

    @Test func `an expectation of release accepts an object that is released with its owner`() async {
        var model: Model? = Model()
        model?.observe(recorder, capturing: true)
        // The recorder's log also refers to the document.
        if let model { recorder.post(Renamed(sender: model.document)) }
        await recorder.expectReleased(&model) { $0.document }
        #expect(model == nil)
    }

    @Test func `an expectation of release also clears the log of the underlying recorder`() async {
        let outer = RecordingNotificationCenter(forwardingTo: recorder)
        var document: Document? = Document()
        if let document { outer.post(Renamed(sender: document)) }
        #expect(recorder.log.count == 1)
        await outer.expectReleased(&document)
        #expect(recorder.log.isEmpty)
    }

    @Test func `an expectation of release fails for an object that an observer retains`() async {
        var document: Document? = Document()
        let line = #line + 1
        let token = recorder.addObserver(for: Saved.self) { [document] _ in withExtendedLifetime(document) {} }
        recorder.post(Closed())
        await fails(
            line: 6, saying: "Expected Document to be released with its owner, but something still retains it.",
            "One of these observers of the recorder may have captured it:", "1. Saved, in the post, registered at",
            "ExpectationTests.swift:\(line)",
            "Posted:", "1. Closed()"
        ) {
            await recorder.expectReleased(&document, patience: .zero)
        }
        withExtendedLifetime(token) {}
    }

    @Test func `an expectation of release rejects an object that is already nil`() async {
        var document: Document?
        await fails(saying: "Expected an object to be released, but it is already nil.") {
            await recorder.expectReleased(&document)
        }
    }

    @Test func `an owner that an asynchronous observer uses is released when the observer has finished`() async {
        for _ in 0..<100 {
            var document: Document? = Document()
            if let document {
                recorder.addObserver(document, on: .main, for: Saved.self) { _, _ in }
            }
            recorder.post(Saved())
            await recorder.expectReleased(&document)
        }
        await recorder.expectNoObservers()
    }

    // MARK: No observer left

    @Test func `the recorder expects that no observer is left registered`() async {
        await recorder.expectNoObservers()
        let line = #line + 1
        let token = recorder.addObserver(on: .task, for: Saved.self) { _ in }
        await fails(
            line: 4, saying: "Expected no observer to be left. Left: 1.", "1. Saved, in a task, registered at",
            "ExpectationTests.swift:\(line)"
        ) {
            await recorder.expectNoObservers(patience: .zero)
        }
        token.cancel()
        await recorder.expectNoObservers()
    }

    @Test func `a local type is reported by its name`() async {
        struct Local: TypedNotification {}
        await fails(saying: "Expected any ExpectationTests.Local, but none was posted.") {
            await recorder.expectPosted(Local.self)
        }
        let token = recorder.addObserver(for: Local.self) { _ in }
        #expect(recorder.observers.map(\.description).first?.hasPrefix("ExpectationTests.Local, in the post") == true)
        token.cancel()
    }

    // MARK: Outside the test's task

    @Test func `an expectation in a separate task reports its failure`() async {
        await fails(line: 2, saying: "Expected any Saved") {
            await Task { [recorder] in
                await recorder.expectPosted(Saved.self)
            }.value
        }
    }

    /// Adds observers that post one after the other, each after it has received the previous post.
    private func observers(depth: Int) -> [NotificationToken] {
        (1...depth).map { number in
            recorder.addObserver(on: .task, for: Saved.self) { [recorder] note in
                await Task.yield()
                if note.id == number - 1 { recorder.post(Saved(id: number)) }
            }
        }
    }
}
