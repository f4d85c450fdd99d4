/// Something that is told what happens in a center, or a bus: what is posted, delivered, dropped, registered and ended, and
/// what goes wrong.
///
/// ```swift
/// struct Printer: NotificationMonitor {
///     func receive(_ event: NotificationEvent) { print(event) }
/// }
/// attachment = center.attach(Printer())
/// ```
///
/// A monitor is called where the event happens, synchronously, with no lock held: it should be quick. It may use the center
/// as anybody else. What it causes is not monitored, by itself or another monitor, so that it ends: nothing that it does in
/// ``receive(_:)``, or in tasks that inherit from there, and nothing that asynchronous observers do with what it posted.
/// That goes for observers of centers that are monitored.
public protocol NotificationMonitor: Sendable {
    /// Takes an event.
    ///
    /// - Parameter event: What has happened. It is told when it is over, so a post comes after what its observers posted.
    func receive(_ event: NotificationEvent)
}
