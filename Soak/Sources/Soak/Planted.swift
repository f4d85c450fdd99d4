import Synchronization

/// Keeps more and more, for the test that growing memory is noticed: as much as the time that passed asks for, so that a machine too
/// busy for more than a few steps keeps as much as any.
final class Leaking: WaitingActivity {
    static let bytesPerSecond = 16 * 1_048_576.0

    let name = "leak"
    private let began = ContinuousClock.now
    private let kept = Mutex<[[UInt8]]>([])

    func step(_ random: inout RandomNumbers) async {
        let due = Int((.now - began) / .seconds(1) * Leaking.bytesPerSecond)
        kept.withLock { kept in
            let missing = due - kept.reduce(0) { $0 + $1.count }
            // Written to, as memory that was never touched is not resident.
            if missing > 0 { kept.append([UInt8](repeating: 1, count: missing)) }
        }
        try? await Task.sleep(for: .milliseconds(50))
    }
}

/// Makes no step, for the test that a stall is noticed.
struct Stalling: WaitingActivity {
    let name = "stall"

    func step(_ random: inout RandomNumbers) async {
        try? await Task.sleep(for: .seconds(86_400))
    }
}
