/// A center whose purpose it is to keep what was posted, as one that records for tests does.
///
/// The conformance suite has it let go of that where it checks that a center keeps nothing alive.
package protocol KeepsNotifications: TypedNotificationCenter {
    /// Lets go of everything that was kept, also by such a center behind this one.
    func forget()
}
