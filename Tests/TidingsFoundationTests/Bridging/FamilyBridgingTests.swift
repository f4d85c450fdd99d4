import Foundation
import Testing
import TidingsFoundation

private struct DownloadChanged: BridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case begun = "FamilyBridgingTests.download.begun"
        case ended = "FamilyBridgingTests.download.ended"
    }
    @FamilyEvent var event: Event
    var attempt: Int
}

private struct PanelChanged: MainActorBridgedNotification, NotificationFamily, Codable {
    enum Event: String, CaseIterable {
        case shown = "FamilyBridgingTests.panel.shown"
        case hidden = "FamilyBridgingTests.panel.hidden"
    }
    @FamilyEvent var event: Event
    var height: Double
}

@Suite(.timeLimit(.minutes(2))) struct FamilyBridgingTests {
    @Test func `bridging gives the untyped notification the name of the event`() throws {
        let forms = try [DownloadChanged.Event.ended, .begun].map {
            try DownloadChanged(event: $0, attempt: 2).bridged()
        }
        #expect(
            forms.map(\.name.rawValue) == ["FamilyBridgingTests.download.ended", "FamilyBridgingTests.download.begun"])
        #expect(forms.allSatisfy { $0.userInfo?["attempt"] as? Int == 2 })
    }

    @Test @MainActor func `bridging gives the untyped form of a main-actor notification the name of the event`() throws
    {
        let form = try PanelChanged(event: .hidden, height: 3).bridged()
        #expect(form.name.rawValue == "FamilyBridgingTests.panel.hidden")
        #expect(form.userInfo?["height"] as? Double == 3)
    }
}
