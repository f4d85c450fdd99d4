import CMachine

enum Machine {
    static let cores = Int(machine_core_count())

    static let runsTwoThreads = cores > 1

    static let watchesHeap = heap_is_watched()

    /// Whether the processor is made by AMD. The limits were first measured on Intel processors. On an AMD processor
    /// (Zen 4), taking a lock and calling a closure takes 9 ns instead of 21, so ratios to the cost of a lock or of a
    /// single post differ. If handlers of eight kinds are called in turn, an AMD processor mispredicts the calls, which
    /// adds 6 ns per call for Tidings and for every peer. The limits that this affects have a second value for AMD.
    static let isAMD = processor_is_amd()

    static func reportMissing() {
        if isAMD { print("Some limits differ for this AMD processor. Their goals are the limits for other processors") }
        if !runsTwoThreads { print("Measurements with two threads are omitted, because there is one core") }
        if !watchesHeap { print("Heap measurements are omitted, because allocations cannot be counted on this system") }
    }
}
