/// Says that an observer gets a task of its own, as in `center.addObserver(on: .task, for: CacheCleared.self)`.
public enum TaskDelivery: Sendable {
    /// A task of its own, which it uses for one notification after the other.
    case task
}
