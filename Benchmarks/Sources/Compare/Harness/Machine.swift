import CMachine

/// What the machine has, and so what can be measured on it.
enum Machine {
    /// How many cores this process may use.
    static let cores = Int(machine_core_count())

    /// Whether two threads can run side by side.
    static let runsTwoThreads = cores > 1

    /// Whether allocations can be counted.
    static let watchesHeap = heap_is_watched()

    /// Whether the processor is one of AMD.
    ///
    /// The bars were measured on processors of Intel first. On one of AMD (Zen 4) a lock with one call in it takes 9 ns instead of 21, so
    /// what is held against a lock, or against a plain post, is another ratio; and eight kinds of handlers in turn are not predicted,
    /// which takes 6 ns of each call, whoever makes it. Such bars have a limit for each of the two.
    static let isAMD = processor_is_amd()

    /// Says what cannot be measured.
    static func reportMissing() {
        if isAMD { print("The processor is one of AMD: a limit that differs there has the other one as its goal") }
        if !runsTwoThreads { print("What two threads do at once is left out: there is one core") }
        if !watchesHeap { print("The heap is left out: allocations cannot be counted on this system") }
    }
}
