import Foundation
import TestSupport
import TidingsFoundation
import TidingsTesting

struct EveryCenter: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable () -> any TypedNotificationCenter

    static let ofThePackage = [
        EveryCenter(description: "native") { NativeNotificationCenter() },
        EveryCenter(description: "Foundation's center") { NotificationCenter() },
        EveryCenter(description: "recorder") { RecordingNotificationCenter() },
        EveryCenter(description: "recorder of Foundation's center") {
            RecordingNotificationCenter(forwardingTo: NotificationCenter())
        },
        EveryCenter(description: "forwarding to a native center") { ForwardingCenter(to: NativeNotificationCenter()) },
        EveryCenter(description: "forwarding to Foundation's center") { ForwardingCenter(to: NotificationCenter()) },
        EveryCenter(description: "forwarding to a recorder") {
            ForwardingCenter(to: ForwardingCenter(to: RecordingNotificationCenter()))
        },
        EveryCenter(description: "recorder of a forwarding center") {
            RecordingNotificationCenter(forwardingTo: ForwardingCenter(to: NativeNotificationCenter()))
        },
    ]

    static let all =
        ofThePackage + [
            EveryCenter(description: "custom center") { SimpleCenter() },
            EveryCenter(description: "recorder of a custom center") {
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
