import TidingsEngine

/// Names the step that the running call of an observer is about to take.
///
/// If the call hangs, warnings, logs and inspectors show the last step, with its line and age.
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
/// The name is a literal, so it can't contain customer data. Functions that the observer calls, and its child tasks,
/// can name steps too, because a task-local value identifies the call. A step that is named outside of a call, or after
/// the call has ended, is ignored. If an observer that runs in the post names a step, the step belongs to the
/// asynchronous call that made the post, if there is one. Steps of a bus's consumers are ignored.
///
/// Until a monitor has been attached or an inspector created, this function only loads one byte.
///
/// - Parameters:
///   - step: The name of the step.
///   - fileID: The file that is shown with the step, by default the file of the call.
///   - line: The line that is shown with the step, by default the line of the call.
@export(implementation)
public func mark(_ step: StaticString, fileID: StaticString = #fileID, line: UInt = #line) {
    if marksAreKept.load(ordering: .relaxed) { Call.mark(step, SourcePlace(fileID: fileID, line: line)) }
}

extension Call {
    private typealias Mark = (step: StaticString, place: SourcePlace, number: Int, time: Int64)

    /// The marks are stored outside the calls, so that a call without marks takes no memory and no lock for them.
    private static let marks = Lock<[ObjectIdentifier: Mark]>([:])

    @usableFromInline
    static func mark(_ step: StaticString, _ place: SourcePlace) {
        guard let call = CallContext.current?.call, call.isRunning else { return }
        let mark: Mark = (step: step, place: place, number: call.number, time: Moment.coarse)
        marks.withLock { $0[ObjectIdentifier(call)] = mark }
        call.isMarked.store(true, ordering: .relaxed)
    }

    var lastMark: CallMark? {
        guard isMarked.load(ordering: .relaxed), let mark = Self.marks.withLock({ $0[ObjectIdentifier(self)] }),
            mark.number == number
        else { return nil }
        return CallMark(
            name: "\(mark.step)", place: mark.place, age: .nanoseconds(max(0, Moment.coarse - mark.time)))
    }

    func removeMark() { Self.marks.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) } }
}
