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

final class View { var isShown = false }
struct WillShow: MainActorNotification { let view: View }
struct DidTap: MainActorNotification {
    let sender: Subject
    let view: View
}
