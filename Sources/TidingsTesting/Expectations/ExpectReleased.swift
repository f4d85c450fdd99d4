import Tidings

extension RecordingNotificationCenter {
    /// Sets a variable to `nil`, and expects that nothing else retains its object. Calls ``drain()`` and ``forget()``.
    ///
    /// - Parameters:
    ///   - object: The only variable that should hold the object. It is set to `nil`.
    ///   - patience: How long to wait for other threads if the expectation isn't met.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectReleased<Object: AnyObject>(
        _ object: inout Object?, patience: Duration = .seconds(10), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        await expectReleased(
            &object, patience: patience, fileID: fileID, filePath: filePath, line: line, column: column
        ) { $0 }
    }

    /// Sets the variable that holds an owner to `nil`, and expects that the object returned by `find` is released, too.
    /// Before the check, the method calls ``drain()``. It also calls ``forget()``, because recorded posts may refer to
    /// the object.
    ///
    /// ```swift
    /// var model: Model? = Model(center: recorder)
    /// await recorder.expectReleased(&model) { $0.loader }
    /// ```
    ///
    /// - Parameters:
    ///   - owner: The only variable that should hold the owner. It is set to `nil`.
    ///   - patience: How long to wait for other threads if the expectation isn't met.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    ///   - find: Returns the object that only the owner should keep alive.
    public func expectReleased<Owner, Object: AnyObject>(
        _ owner: inout Owner?, patience: Duration = .seconds(10), fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ find: (Owner) -> Object?
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        weak let object = owner.flatMap(find)
        guard object != nil else {
            return report(["Expected an object to be released, but it is already nil."], at: site)
        }
        owner = nil
        guard await drain(at: site) else { return }
        let posts = postedLines
        forget()
        await letOthersFinish(patience) { object == nil }
        guard let object else { return }
        let name = shownName(of: type(of: object))
        let headline = "Expected \(name) to be released with its owner, but something still retains it."
        let left = observers
        let hint =
            left.isEmpty
            ? ["The recorder has no observers."]
            : ["One of these observers of the recorder may have captured it:"] + numberedLines(left)
        report([headline] + hint + posts, at: site)
    }

    /// Expects that every observation has ended, so that no observer remains. The method calls ``drain()`` first. A
    /// failure message contains the place where each remaining observer was registered.
    ///
    /// - Parameters:
    ///   - patience: How long to wait for other threads if the expectation isn't met.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public func expectNoObservers(
        patience: Duration = .seconds(10), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        guard await drain(at: site) else { return }
        await letOthersFinish(patience) { observers.isEmpty }
        let left = observers
        if !left.isEmpty {
            report(["Expected no observer to be left. Left: \(left.count)."] + numberedLines(left), at: site)
        }
    }
}
