import Tidings

struct Saved: TypedNotification, Equatable { var id = 0 }
struct Closed: TypedNotification, Equatable {}
