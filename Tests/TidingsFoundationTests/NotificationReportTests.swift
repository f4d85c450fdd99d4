import Foundation
import TestSupport
import Testing
import TidingsFoundation

@Suite struct NotificationReportTests {
    private struct Renamed: TypedNotification { static let name = "NotificationReportTests.Renamed" }

    @Test func `a report says in one sentence what could not be decoded`() throws {
        Reports.collect()
        let center = NotificationCenter()
        let token = center.addObserver(for: Renamed.self) { _ in }
        center.post(name: Notification.Name(Renamed.name), object: nil)
        let report = try #require(Reports.of(Renamed.name).first)
        #expect(report.kind == .undecodable)
        #expect(report.kind.description == "could not be decoded")
        #expect(report.description == "NotificationReportTests.Renamed: no value: expected Renamed")
        withExtendedLifetime(token) {}
        // Reports go to the standard error stream unless a handler was set.
        Reports.original(report)
    }

    @Test func `the handler in place is the one that was set`() {
        Reports.collect()
        let handler = NotificationReport.handler
        NotificationReport.handler = handler
        let center = NotificationCenter()
        let name = "NotificationReportTests.handler"
        let token = center.addObserver(descriptor: PayloadDescriptor<Int>(name: Notification.Name(name))) { _ in }
        center.post(name: Notification.Name(name), object: nil)
        #expect(Reports.of(name).count == 1)
        withExtendedLifetime(token) {}
    }
}
