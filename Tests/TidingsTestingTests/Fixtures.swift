import Tidings

struct Saved: TypedNotification, Equatable { var id = 0 }

struct Closed: TypedNotification, Equatable {}

final class Document: Sendable {}

struct Renamed: TypedNotification { let sender: Document }

struct Numbered: TypedNotification { let sender: Int? }

/// A class that isn't `Sendable`.
final class Draft { var text = "" }

struct Drafted: TypedNotification { let draft: Draft }

struct WillShow: MainActorNotification { let draft: Draft }

struct DidShow: MainActorNotification, Equatable { var number = 0 }

class Vehicle: TypedNotification, @unchecked Sendable {}  // stateless
final class Truck: Vehicle, @unchecked Sendable {}  // stateless
