import Tidings

extension RecordingNotificationCenter {
    /// Expects that no observer is left behind: every observation that was begun has ended.
    ///
    /// It drains first. A report says where each was registered.
    ///
    /// - Parameters:
    ///   - fileID: The file of the call. Leave it out.
    ///   - filePath: The path of the file. Leave it out.
    ///   - line: The line of the call. Leave it out.
    ///   - column: The column of the call. Leave it out.
    public func expectNoObservers(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async {
        let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        guard await drain(at: site) else { return }
        await letOthersFinish { observers.isEmpty }
        let left = observers
        if !left.isEmpty {
            report(["Expected no observer to be left. Left: \(left.count)."] + Listing.lines(left), at: site)
        }
    }
}
