/// An event in the app, for example for analytics.
enum AppMessage: Equatable, Sendable {
    case editing
    case saved(count: Int)
}
