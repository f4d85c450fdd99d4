import CLibFuzzer
import Foundation

/// Code that receives input from outside the program. For each input, it has to return a value or throw an error. A
/// trap, a hang or a failed `demand` ends the run, and libFuzzer saves the input.
protocol FuzzTarget: SendableMetatype {
    /// The target's name on the command line, and the name of its corpus folder.
    static var name: String { get }

    static func feed(_ input: inout Input)
}

let targets: [any FuzzTarget.Type] = [
    UserInfo.self, RelayEvents.self, InspectorRequests.self, Planted.self,
]

/// The target of this run, set before the first input.
nonisolated(unsafe) private var target: any FuzzTarget.Type = UserInfo.self  // libFuzzer runs on one thread

/// Passes an input to the target. libFuzzer's own `main` function requires this C name. That `main` function isn't used
/// here, but is linked.
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
        // libFuzzer doesn't accept the target's name as an argument, so the name is appended to the path of the program
        // instead. To merge corpora, libFuzzer runs that path as a command.
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = CommandLine.unsafeArgv + 1
        arguments[0] = strdup("\(CommandLine.arguments[0]) \(chosen.name)")
        var count = CommandLine.argc - 1
        withUnsafeMutablePointer(to: &arguments) { arguments in
            _ = LLVMFuzzerRunDriver(&count, arguments, test)
        }
    }
}
