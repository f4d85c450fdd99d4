import Synchronization

/// Leaks memory, to test that growing memory is detected. The amount depends on the elapsed time and not on the
/// number of steps, so a busy machine leaks as much as an idle one.
final class Leaking: WaitingActivity {
    static let bytesPerSecond = 16 * 1_048_576.0

    let name = "leak"
    private let began = ContinuousClock.now
    private let kept = Mutex<[[UInt8]]>([])

    func step(_ random: inout RandomNumbers) async {
        let due = Int((.now - began) / .seconds(1) * Leaking.bytesPerSecond)
        kept.withLock { kept in
            let missing = due - kept.reduce(0) { $0 + $1.count }
            // The memory is written to, because untouched memory isn't resident.
            if missing > 0 { kept.append([UInt8](repeating: 1, count: missing)) }
        }
        try? await Task.sleep(for: .milliseconds(50))
    }
}

/// Never completes a step, to test that a stall is detected.
struct Stalling: WaitingActivity {
    let name = "stall"

    func step(_ random: inout RandomNumbers) async {
        try? await Task.sleep(for: .seconds(86_400))
    }
}
