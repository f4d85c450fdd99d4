import Tidings

struct Ping: TypedNotification { var number = 0 }
struct Pong: TypedNotification { var number = 0 }
enum Nested { struct Ping: TypedNotification {} }
struct Carrying<Value: Sendable>: TypedNotification { let value: Value }
struct Namesake: TypedNotification { static let name = "tidings.conformance.shared" }
struct OtherNamesake: TypedNotification { static let name = "tidings.conformance.shared" }
class Vehicle: TypedNotification, @unchecked Sendable {}  // stateless
final class Bicycle: Vehicle, @unchecked Sendable {}  // stateless

final class Subject: Sendable {}
/// An object that equals all others of its class.
final class Twin: Hashable, Sendable {
    static func == (lhs: Twin, rhs: Twin) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}
protocol Titled: AnyObject, Sendable {}
extension Subject: Titled {}
extension Twin: Titled {}
struct Shapeless: Sendable {}

struct FromSubject: TypedNotification {
    let sender: Subject
    var number = 0
}
struct FromTwin: TypedNotification { let sender: Twin }
struct FromValue: TypedNotification { let sender: String }
struct FromTitled: TypedNotification { let sender: any Titled }
struct FromAny: TypedNotification { let sender: (any Sendable)? }
struct FromOptional: TypedNotification { let sender: Int?? }
struct FromShapeless: TypedNotification { let sender: Shapeless }

/// Replayed notifications without a sender, and with an object and a value as the sender.
struct State: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    var number = 0
}
struct StateOfSubject: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    weak var sender: Subject?
    var number = 0
    var content: Subject?
}
struct StateOfValue: TypedNotification, Sendable {
    static var replay: NotificationReplay { .latest(of: Self.self) }
    let sender: String
    var number = 0
}

/// A type that must not leave the main actor.
final class View { var isShown = false }
struct WillShow: MainActorNotification { let view: View }
struct DidTap: MainActorNotification {
    let sender: Subject
    let view: View
}
