import CLibFuzzer
import Foundation

/// Code that takes input from outside. For each input, it has to return a value or throw an error. A trap, a hang or a
/// broken promise ends the run, and libFuzzer saves the input.
protocol FuzzTarget: SendableMetatype {
    /// Also the name of the target's corpus folder.
    static var name: String { get }

    static func feed(_ input: inout Input)
}

let targets: [any FuzzTarget.Type] = [
    UserInfo.self, RelayEvents.self, InspectorRequests.self, Planted.self,
]

/// Set before the first input.
nonisolated(unsafe) private var target: any FuzzTarget.Type = UserInfo.self  // libFuzzer runs on one thread

/// libFuzzer's own `main` calls this function. That `main` isn't used, but is linked with the rest of the runtime.
@c(LLVMFuzzerTestOneInput)
func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(UnsafeBufferPointer(start: bytes, count: count))
    target.feed(&input)
    return 0
}

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
        // libFuzzer doesn't accept the name of the target as an argument, so the path of the program replaces it. The
        // target is appended to the path, so that libFuzzer can start the program again, which it does to merge
        // corpora.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv + 1
        arguments[0] = strdup("\(CommandLine.arguments[0]) \(chosen.name)")
        var count = CommandLine.argc - 1
        withUnsafeMutablePointer(to: &arguments) { arguments in
            _ = LLVMFuzzerRunDriver(&count, arguments, test)
        }
    }
}
