import Tidings

/// The program was sent a signal that asks it to stop.
struct Interrupted: MainActorNotification {
    let signal: Int32
}
