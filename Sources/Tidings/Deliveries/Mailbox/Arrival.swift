/// Something that is about to wait in a mailbox, and was announced to monitors.
struct Arrival: Sendable {
    /// What monitors know of it; `nil` if none wants to know.
    let trace: QueueTrace?

    /// Who tells the monitors more; `nil` if a monitor has caused it.
    let teller: QueueWatcher?
}
