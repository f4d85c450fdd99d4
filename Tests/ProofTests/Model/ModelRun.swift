import Tidings
import TidingsConformance

struct ModelRun {
    struct Difference: CustomStringConvertible {
        /// The operation after which the center and the model differ, or `nil` if they differ after the center's
        /// release.
        let operation: Operation?
        let expected: Event?
        let found: Event?

        var description: String {
            func text(_ event: Event?) -> String { event.map { "\($0)" } ?? "nothing" }
            let lines = operation?.lines(indentation: "    ").joined(separator: "\n") ?? "    the center's end"
            return "\(violation): expected \(text(expected)), found \(text(found)), in:\n\(lines)"
        }

        var violation: String {
            switch (expected, found) {
            case (_, .violated(_, let words)): words
            case (_, .kept): "the closure of an observer that has ended is kept"
            case (.called(let observer, _), .called(let other, _)):
                observer == other
                    ? "an observer was called by the wrong post" : "observers were called in the wrong order"
            case (.called, _): "an observer was not called"
            case (_, .called): "an observer was called although it must not be"
            case (.posted, .posted): "a post returned the wrong number of calls"
            case (.looked(_, let isActive), .looked):
                isActive ? "a token is not active" : "the token of an observer that has ended is active"
            case (.dropped, .dropped): "the wrong number of notifications was dropped"
            case (.finished, _), (_, .finished): "a finish returned the wrong number of observers"
            default: "another event"
            }
        }
    }

    let operations: Int
    let difference: Difference?

    init(
        _ program: Program, asynchronously: any AsynchronousObserving = PackageObserving(),
        patience: Duration = .seconds(60), on make: () -> any TypedNotificationCenter
    ) async {
        var model = ReferenceModel()
        let world = World(make(), asynchronously: asynchronously, patience: patience)
        var difference: Difference?
        var seen = 0
        var operations = program[...]
        // At the end, every observer receives the notifications queued for it.
        while let operation = operations.popFirst() ?? model.firstWaiting.map({ .run(observer: $0) }), difference == nil
        {
            model.perform(operation)
            await world.perform(operation, beside: model)
            difference = Self.difference(after: operation, model.events[seen...], world.events[seen...])
            seen = model.events.count
        }
        if difference == nil {
            await world.finish(beside: model)
            difference = Self.difference(after: nil, model.events[seen...], world.events[seen...])
        }
        world.end()
        self.difference = difference
        self.operations = model.operations
    }

    private static func difference(
        after operation: Operation?, _ expected: ArraySlice<Event>, _ found: ArraySlice<Event>
    ) -> Difference? {
        for index in expected.startIndex..<max(expected.endIndex, found.endIndex) {
            let one = index < expected.endIndex ? expected[index] : nil
            let other = index < found.endIndex ? found[index] : nil
            if let one, let other, other.agrees(with: one) { continue }
            return Difference(operation: operation, expected: one, found: other)
        }
        return nil
    }
}
