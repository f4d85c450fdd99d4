/// A kind of signal, and what can be done with it.
struct Peer {
    let subject: Subject

    /// Whether several threads may post to it, add and cancel.
    var isThreadSafe = true

    /// The C++ library it belongs to, if it does.
    var library: CxxSignal.Library?

    /// Makes a signal without observers; `nil` if it was not there when this was built.
    let make: @MainActor () -> (any Signal)?

    private static let all = [
        Peer(subject: .tidings) { TidingsCenter() },
        Peer(subject: .mutexOfSlots) { MutexOfSlots() },
        Peer(subject: .mutexOfClosures) { MutexOfClosures() },
        Peer(subject: .arrayOfClosures, isThreadSafe: false) { ArrayOfClosures() },
        Peer(subject: .foundationBlock) { FoundationBlocks() },
        Peer(subject: .foundationMainActorMessage, isThreadSafe: false) { FoundationMainActorMessages() },
        Peer(subject: .openCombine) { OpenCombineSubject() },
        Peer(subject: .boost, library: .boost) { CxxSignal(.boost) },
        Peer(subject: .sigc, isThreadSafe: false, library: .sigc) { CxxSignal(.sigc) },
    ]

    /// Those that were there when this was built, ours first.
    @MainActor static let installed = all.filter { $0.make() != nil }

    /// Those that several threads may use.
    @MainActor static let threadSafe = installed.filter(\.isThreadSafe)

    /// Says which are left out, and what to install.
    @MainActor
    static func reportMissing() {
        for peer in all where peer.make() == nil {
            let package = peer.library.map { " (Debian's \($0.package))" } ?? ""
            print("\(peer.subject) is left out: its headers were not found\(package)")
        }
    }
}
