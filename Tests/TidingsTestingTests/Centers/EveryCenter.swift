import Foundation
import TestSupport
import TidingsFoundation
import TidingsTesting

struct EveryCenter: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable () -> any TypedNotificationCenter

    static let ofThePackage = [
        EveryCenter(description: "native") { NativeNotificationCenter() },
        EveryCenter(description: "Foundation's") { NotificationCenter() },
        EveryCenter(description: "recorder") { RecordingNotificationCenter() },
        EveryCenter(description: "recorder of Foundation's") {
            RecordingNotificationCenter(forwardingTo: NotificationCenter())
        },
        EveryCenter(description: "forwarding to native") { ForwardingCenter(to: NativeNotificationCenter()) },
        EveryCenter(description: "forwarding to Foundation's") { ForwardingCenter(to: NotificationCenter()) },
        EveryCenter(description: "forwarding to a recorder") {
            ForwardingCenter(to: ForwardingCenter(to: RecordingNotificationCenter()))
        },
        EveryCenter(description: "recorder of a forwarding one") {
            RecordingNotificationCenter(forwardingTo: ForwardingCenter(to: NativeNotificationCenter()))
        },
    ]

    static let all =
        ofThePackage + [
            EveryCenter(description: "the user's own") { SimpleCenter() },
            EveryCenter(description: "recorder of the user's own") {
                RecordingNotificationCenter(forwardingTo: SimpleCenter())
            },
        ]
}

struct Placed: TypedNotification {
    static let name = "EveryCenter.Placed"
    var id = 0
}

struct Retitled: TypedNotification {
    static let name = "EveryCenter.Retitled"
    let sender: Screen
    var id = 0
}

struct Shown: MainActorNotification {
    static let name = "EveryCenter.Shown"
    var id = 0
}

struct Selected: MainActorNotification {
    static let name = "EveryCenter.Selected"
    let sender: Screen
    var id = 0
}

final class Screen: Sendable {}

actor Projection {
    let received = ReceivedValues<Int>()

    func store(_ id: Int) { received.append(id) }
}
