import Testing

@testable import Tidings

@Suite(.timeLimit(.minutes(2))) struct WaitGraphTests {
    /// A substitute for a mailbox, which is the queue of an observer.
    private final class Box: Sendable {}

    private let first = Box()
    private let second = Box()
    private let third = Box()

    private func call(of box: Box, canWait: Bool = true) -> Call { Call(of: box, canWait: canWait) }

    private func node(_ box: Box) -> WaitGraph.Node { .mailbox(ObjectIdentifier(box)) }

    @Test func `a call does not wait for its own mailbox`() {
        var graph = WaitGraph()
        let waitsForItself = graph.beginDrain(call(of: first), of: node(first))
        #expect(!waitsForItself)
        let waitsForAnother = graph.beginDrain(call(of: first), of: node(second))
        #expect(waitsForAnother)
    }

    @Test func `the graph ignores the waits of a call that has ended`() {
        var graph = WaitGraph()
        let ended = call(of: first)
        let waits = graph.beginDrain(ended, of: node(second))
        #expect(waits)
        #expect(graph.closesCycle(call(of: second), to: node(first)))
        ended.end()
        #expect(!graph.closesCycle(call(of: second), to: node(first)))
        // A task that has outlived the call can wait for a later call of the same mailbox.
        let waitsForLaterCall = graph.beginDrain(ended, of: node(first))
        #expect(waitsForLaterCall)
    }

    @Test func `the graph records no wait of a call that cannot be suspended`() {
        var graph = WaitGraph()
        let turn = call(of: first, canWait: false)
        let waits = graph.beginDrain(turn, of: node(second))
        #expect(waits)
        #expect(!graph.closesCycle(call(of: second), to: node(first)))
        let waitsForItself = graph.beginDrain(turn, of: node(first))
        #expect(waitsForItself)
    }

    @Test func `the graph removes a wait that has ended`() {
        var graph = WaitGraph()
        let waiting = call(of: first)
        let waits = graph.beginDrain(waiting, of: node(second))
        #expect(waits)
        graph.endWait(waiting, for: node(second))
        #expect(!graph.closesCycle(call(of: second), to: node(first)))
    }

    @Test func `if a call waits twice for a mailbox, ending one wait doesn't end the other`() {
        var graph = WaitGraph()
        let waiting = call(of: first)
        for box in [second, third, second] {
            let waits = graph.beginDrain(waiting, of: node(box))
            #expect(waits)
        }
        graph.endWaits(waiting, for: [node(second), node(third)])
        #expect(graph.closesCycle(call(of: second), to: node(first)))
        #expect(!graph.closesCycle(call(of: third), to: node(first)))
        graph.endWaits(waiting, for: [node(second)])
        #expect(graph.waits.isEmpty)
    }

    @Test func `the waits of several drains in a call can end in any order`() {
        var graph = WaitGraph()
        let waiting = call(of: first)
        for box in [second, third, second, third] {
            let waits = graph.beginDrain(waiting, of: node(box))
            #expect(waits)
        }
        graph.endWaits(waiting, for: [node(second)])
        #expect(graph.closesCycle(call(of: second), to: node(first)))
        graph.endWaits(waiting, for: [node(second), node(third), node(third)])
        #expect(graph.waits.isEmpty)
    }

    @Test func `after a delivery's post has ended, no mailbox can be added to the delivery`() {
        var graph = WaitGraph()
        let window = graph.openScope(from: nil)
        #expect(graph.enter(window, ObjectIdentifier(first)) == window.scope)
        graph.close(window)
        #expect(graph.enter(window, ObjectIdentifier(first)) == .none)
    }

    @Test func `if a mailbox has the identity of an earlier mailbox, a receipt names the later observer`() async {
        let (earlier, later) = (
            DeliveryReceipt.Observer(of: Int.self, .task, from: SourcePlace()),
            DeliveryReceipt.Observer(of: String.self, .task, from: SourcePlace())
        )
        var graph = WaitGraph()
        let window = graph.openScope(from: nil)
        _ = graph.enter(window, ObjectIdentifier(first), of: earlier)
        graph.leave(window.scope, ObjectIdentifier(first), hasRun: true)
        _ = graph.enter(window, ObjectIdentifier(first), of: later)
        graph.close(window)
        let receipt: DeliveryReceipt = await withCheckedContinuation { continuation in
            graph.wait(
                window.scope, ScopeState.Waiter(observers: 1, call: nil) { continuation.resume(returning: $0) })
            graph.abandon(window.scope)
            for resumption in graph.takeResumptions() { resumption() }
        }
        #expect(receipt.unfinished == [later])
    }

    @Test func `once a delivery has returned its receipt, it keeps no errors`() async {
        struct Refused: Error {}
        let observer = DeliveryReceipt.Observer(of: Int.self, .task, from: SourcePlace())
        var graph = WaitGraph()
        let window = graph.openScope(from: nil)
        for box in [first, second, third] { _ = graph.enter(window, ObjectIdentifier(box), of: observer) }
        graph.close(window)
        graph.leave(window.scope, ObjectIdentifier(first), hasRun: true, error: Refused())
        let receipt: DeliveryReceipt = await withCheckedContinuation { continuation in
            graph.wait(
                window.scope, ScopeState.Waiter(observers: 3, call: nil) { continuation.resume(returning: $0) })
            graph.abandon(window.scope)
            for resumption in graph.takeResumptions() { resumption() }
        }
        #expect(receipt.failures.count == 1 && receipt.unfinished.count == 2)
        #expect(graph.scopes[window.scope]?.failures.isEmpty == true)
        graph.leave(window.scope, ObjectIdentifier(second), hasRun: true, error: Refused())
        #expect(graph.scopes[window.scope]?.failures.isEmpty == true)
    }

    @Test func `if a delivery skips a mailbox to avoid a cycle, that mailbox can still wait for the delivering one`()
        async
    {
        var graph = WaitGraph()
        // A call of the second mailbox drains the first mailbox. Then a call of the first mailbox delivers to the
        // second and third.
        let waits = graph.beginDrain(call(of: second), of: node(first))
        #expect(waits)
        let window = graph.openScope(from: nil)
        _ = graph.enter(window, ObjectIdentifier(second))
        _ = graph.enter(window, ObjectIdentifier(third))
        graph.close(window)
        let outcome: DeliveryReceipt = await withCheckedContinuation { continuation in
            let waiter = ScopeState.Waiter(observers: 0, call: call(of: first)) { continuation.resume(returning: $0) }
            graph.wait(window.scope, waiter)
            // The first mailbox now only waits for the third mailbox, so the second mailbox can wait for the first.
            #expect(!graph.closesCycle(call(of: second), to: node(first)))
            #expect(graph.closesCycle(call(of: third), to: node(first)))
            graph.leave(window.scope, ObjectIdentifier(third), hasRun: true)
            for resumption in graph.takeResumptions() { resumption() }
        }
        #expect(outcome.asynchronousCalls == 1)
        #expect(!outcome.isComplete)
    }
}
