import CMachine

/// What the machine has, and so what can be measured on it.
enum Machine {
    /// How many cores this process may use.
    static let cores = Int(machine_core_count())

    /// Whether two threads can run side by side.
    static let runsTwoThreads = cores > 1

    /// Whether allocations can be counted.
    static let watchesHeap = heap_is_watched()

    /// Says what cannot be measured.
    static func reportMissing() {
        if !runsTwoThreads { print("What two threads do at once is left out: there is one core") }
        if !watchesHeap { print("The heap is left out: allocations cannot be counted on this system") }
    }
}
