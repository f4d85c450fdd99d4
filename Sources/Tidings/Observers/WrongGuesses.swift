// What people write when they guess a spelling. The compiler finds these, and its message names the right one.

extension MainActorDelivery {
    /// Cannot be used: the main actor is `.main`, or `MainActor.self`.
    @available(*, unavailable, renamed: "main")
    public static var mainActor: MainActorDelivery { .main }
}
