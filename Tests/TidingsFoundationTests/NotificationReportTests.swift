import Foundation
import TestSupport
import Testing
import TidingsFoundation

@Suite(.timeLimit(.minutes(2))) struct NotificationReportTests {
    private struct Renamed: TypedNotification { static let name = "NotificationReportTests.Renamed" }

    @Test func `a report explains in one sentence which value couldn't be decoded`() throws {
        Reports.collect()
        let center = NotificationCenter()
        let token = center.addObserver(for: Renamed.self) { _ in }
        center.post(name: Notification.Name(Renamed.name), object: nil)
        let report = try #require(Reports.of(Renamed.name).first)
        #expect(report.kind == .undecodable)
        #expect(report.kind.description == "could not be decoded")
        let words =
            "posted without a typed value: expected Renamed (adopt BridgedNotification, or use a descriptor)"
        #expect(report.description.hasPrefix("NotificationReportTests.Renamed: \(words); posted by "))
        withExtendedLifetime(token) {}
        // This is the default handler, which writes the report to standard error.
        Reports.original(report)
    }

    @Test func `a report of a post without a typed value names the poster and explains the solution`() throws {
        Reports.collect()
        final class AccountManager {}
        struct Plain: TypedNotification { static let name = "NotificationReportTests.Plain" }
        struct Other: TypedNotification { static let name = "NotificationReportTests.Plain" }
        let center = NotificationCenter()
        let token = center.addObserver(for: Plain.self) { _ in }
        center.post(name: Notification.Name(Plain.name), object: AccountManager())
        center.post(name: Notification.Name(Plain.name), object: nil)
        center.post(Other())
        let reports = Reports.of(Plain.name)
        let error = NotificationDecodingError(
            notification: Plain.name, keyPath: [], expected: "Plain", found: nil, reason: .untyped,
            detail: "adopt BridgedNotification, or use a descriptor")
        #expect(reports.first?.error == error)
        #expect(reports.first?.description == "\(error); posted by AccountManager")
        // Without an object, the poster is the function that called the center, here in the test executable.
        #expect(reports.dropFirst().first?.poster?.contains("xctest") == true)
        #expect(reports.last?.poster?.hasPrefix("TidingsFoundationTests/NotificationReportTests.swift:") == true)
        withExtendedLifetime(token) {}
    }

    @MainActor
    @Test func `a report of a main-actor notification recommends MainActorBridgedNotification`() {
        Reports.collect()
        struct Shown: MainActorNotification { static let name = "NotificationReportTests.Shown" }
        let center = NotificationCenter()
        let token = center.addObserver(for: Shown.self) { _ in }
        center.post(name: Notification.Name(Shown.name), object: nil)
        #expect(
            Reports.of(Shown.name).first?.error?.detail
                == "adopt MainActorBridgedNotification, or use a descriptor")
        withExtendedLifetime(token) {}
    }

    @Test func `reading the handler returns the handler that was set`() {
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
