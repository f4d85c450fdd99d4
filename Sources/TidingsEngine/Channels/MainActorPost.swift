public import CTidingsSystem

/// A post that code on the main actor makes on the calling thread. Everything that the thread does until the post ends
/// is on the main actor, so the post's observers don't need the runtime's isolation check, which takes longer than the
/// post.
@usableFromInline
package enum MainActorPost {
    /// Begins a post. Must be followed by ``end()`` on the same thread. A method that takes a closure would repeat the
    /// isolation check.
    @inlinable
    @MainActor
    package static func begin() { tidings_begin_main_actor_post() }

    @inlinable
    @MainActor
    package static func end() { tidings_end_main_actor_post() }

    @inlinable package static var isUnderWay: Bool { tidings_makes_main_actor_post() }
}
