/// What happens in the app, for whoever counts it.
enum AppMessage: Equatable, Sendable {
    case editing
    case saved(count: Int)
}
