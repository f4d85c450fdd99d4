import Synchronization

/// Keeps a little more with every step, for the test that growing memory is noticed.
final class Leaking: WaitingActivity {
    let name = "leak"
    private let kept = Mutex<[[UInt8]]>([])

    func step(_ random: inout RandomNumbers) async {
        kept.withLock { $0.append([UInt8](repeating: 1, count: 4_096)) }
        try? await Task.sleep(for: .milliseconds(1))
    }
}

/// Makes no step, for the test that a stall is noticed.
struct Stalling: WaitingActivity {
    let name = "stall"

    func step(_ random: inout RandomNumbers) async {
        try? await Task.sleep(for: .seconds(86_400))
    }
}
