import TidingsEngine

/// Names the step that the running call of an observer is about to take.
///
/// If the call hangs, warnings, logs and inspectors show the last step that it has named, with its line and its age.
/// An observer is otherwise known only by the line that registered it.
///
/// ```swift
/// center.addObserver(on: .task, for: OrderPlaced.self) { order in
///     Tidings.mark("waiting for the bank")
///     let payment = try await bank.charge(order)
///     Tidings.mark("sending the receipt")
///     try await mailer.send(payment)
/// }
/// ```
///
/// The name is a literal, so it can't contain the data of a customer. A call is found by a task-local value: a function
/// that the observer calls can name steps, too, and so can its child tasks. A step that is named after the call has
/// returned is ignored, and so is one outside of a call. Observers in the post and consumers of a bus have no calls of
/// their own: their steps belong to the asynchronous call that has led to them, if there is one.
///
/// Until a monitor has been attached or an inspector created, this function only loads one byte.
///
/// - Parameters:
///   - step: The name of the step.
///   - fileID: The file of the line, by default that of the call.
///   - line: The line, by default that of the call.
@export(implementation)
public func mark(_ step: StaticString, fileID: StaticString = #fileID, line: UInt = #line) {
    if marksAreKept.load(ordering: .relaxed) { Call.mark(step, SourcePlace(fileID: fileID, line: line)) }
}

extension Call {
    /// A named step, with the number of the call in its turn.
    private struct Mark: Sendable {
        let step: StaticString
        let place: SourcePlace
        let number: Int
        let time: Int64
    }

    /// The last marks of running calls. A call has none until it names a step, so calls that name no steps neither
    /// allocate nor lock anything.
    private static let marks = Lock<[ObjectIdentifier: Mark]>([:])

    /// Records a step of the call that this task is part of.
    @usableFromInline
    static func mark(_ step: StaticString, _ place: SourcePlace) {
        guard let call = CallContext.current?.call, call.isRunning else { return }
        let mark = Mark(step: step, place: place, number: call.number, time: Moment.coarse)
        marks.withLock { $0[ObjectIdentifier(call)] = mark }
        call.isMarked.store(true, ordering: .relaxed)
    }

    /// The last step that the running call has named; `nil` if it has named none.
    var lastMark: CallMark? {
        guard isMarked.load(ordering: .relaxed), let mark = Self.marks.withLock({ $0[ObjectIdentifier(self)] }),
            mark.number == number
        else { return nil }
        return CallMark(
            name: "\(mark.step)", place: mark.place, age: .nanoseconds(max(0, Moment.coarse - mark.time)))
    }

    func removeMark() { Self.marks.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }
}
