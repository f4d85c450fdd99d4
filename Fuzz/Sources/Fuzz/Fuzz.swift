import CLibFuzzer
import Foundation

/// Something that takes input from outside. It has to come back from each, with a value or an error: what traps, what hangs and what
/// breaks a promise ends the run, and libFuzzer keeps the input.
protocol FuzzTarget: SendableMetatype {
    /// What it is called on the command line, and the folder of its corpus.
    static var name: String { get }

    /// Feeds one input.
    static func feed(_ input: inout Input)
}

/// The targets: each is a file in `Targets`.
let targets: [any FuzzTarget.Type] = [
    UserInfo.self, RelayEvents.self, InspectorRequests.self, Planted.self,
]

/// Set before the first input.
nonisolated(unsafe) private var target: any FuzzTarget.Type = UserInfo.self  // libFuzzer runs on one thread

/// What libFuzzer's own `main` would call. It is not used, but linked with the rest of its runtime.
@c(LLVMFuzzerTestOneInput)
func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(UnsafeBufferPointer(start: bytes, count: count))
    target.feed(&input)
    return 0
}

/// Demands what must hold for every input.
func demand(_ condition: Bool, _ otherwise: @autoclosure () -> String) {
    if !condition { fatalError(otherwise()) }
}

@main struct Fuzz {
    static func main() {
        let name = CommandLine.arguments.dropFirst().first
        guard let chosen = targets.first(where: { $0.name == name }) else {
            print("usage: fuzz \(targets.map { $0.name }.joined(separator: "|")) [OPTION OF LIBFUZZER…] [CORPUS…]")
            return
        }
        target = chosen
        // The name of the target is not libFuzzer's affair: its place is taken by that of the program. The target goes with it, so that
        // libFuzzer can start the program again, as it does to merge corpora.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv + 1
        arguments[0] = strdup("\(CommandLine.arguments[0]) \(chosen.name)")
        var count = CommandLine.argc - 1
        withUnsafeMutablePointer(to: &arguments) { arguments in
            _ = LLVMFuzzerRunDriver(&count, arguments, test)
        }
    }
}
