public import Foundation

extension Notification {
    /// The typed notification that this one carries, for classic observers of its name.
    ///
    /// - Parameter type: The type.
    /// - Returns: The typed notification; `nil` if this one was not posted as the type.
    public func typed<N: TypedNotification>(as type: N.Type) -> N? {
        userInfo?[TypedPost.key].flatMap { castObject($0, to: TypedPostOf<N>.self) }?.value
    }

    /// The main-actor notification that this one carries, for classic observers of its name.
    ///
    /// - Parameter type: The type.
    /// - Returns: The main-actor notification; `nil` if this one was not posted as the type.
    @MainActor
    public func typed<N: MainActorNotification>(as type: N.Type) -> N? {
        typed(as: OnMainActor<N>.self)?.notification
    }
}
