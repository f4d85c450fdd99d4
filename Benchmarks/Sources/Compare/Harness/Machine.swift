import CMachine

enum Machine {
    static let cores = Int(machine_core_count())

    static let runsTwoThreads = cores > 1

    static let watchesHeap = heap_is_watched()

    /// The bars were first measured on Intel processors. On an AMD processor (Zen 4), taking a lock and making one call
    /// takes 9 ns instead of 21, so ratios to a lock or to a plain post differ. The AMD processor also mispredicts
    /// calls of eight kinds of handlers in turn, which costs 6 ns per call in every peer. Bars that are affected have a
    /// second limit for AMD.
    static let isAMD = processor_is_amd()

    static func reportMissing() {
        if isAMD { print("This is an AMD processor: if its limit differs, the limit for other processors is the goal") }
        if !runsTwoThreads { print("Measurements with two threads are omitted, because there is one core") }
        if !watchesHeap { print("The heap is omitted, because allocations cannot be counted on this system") }
    }
}
