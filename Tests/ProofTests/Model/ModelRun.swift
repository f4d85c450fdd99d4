import Tidings

/// One run of a program, beside the model.
struct ModelRun {
    /// Where the center and the model differ first.
    struct Difference: CustomStringConvertible {
        /// The operation after which they differ; `nil` for the end of the center.
        let operation: Operation?
        let expected: Event?
        let found: Event?

        var description: String {
            func text(_ event: Event?) -> String { event.map { "\($0)" } ?? "nothing" }
            let lines = operation?.lines(indentation: "    ").joined(separator: "\n") ?? "    the center's end"
            return "expected \(text(expected)), found \(text(found)), in:\n\(lines)"
        }
    }

    let operations: Int
    let difference: Difference?

    /// Runs a program on a new center.
    init(_ program: Program, on make: () -> any TypedNotificationCenter) async {
        var model = ReferenceModel()
        let world = World(make())
        var difference: Difference?
        var seen = 0
        for operation in program where difference == nil {
            model.perform(operation)
            await world.perform(operation, ended: model.ended)
            difference = Self.difference(after: operation, model.events[seen...], world.events[seen...])
            seen = model.events.count
        }
        if difference == nil {
            world.finish()
            difference = Self.difference(after: nil, model.events[seen...], world.events[seen...])
        }
        self.difference = difference
        operations = model.operations
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
