/// A kind of signal, with its capabilities.
struct Peer {
    let subject: Subject

    /// Whether several threads may post to it, and add and cancel handlers.
    var isThreadSafe = true

    /// The C++ library that it belongs to, if any.
    var library: CxxSignal.Library?

    /// Creates a signal without observers, or returns `nil` if it wasn't available during the build.
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

    /// The peers that were available during the build, with Tidings first.
    @MainActor static let installed = all.filter { $0.make() != nil }

    /// The peers that several threads may use.
    @MainActor static let threadSafe = installed.filter(\.isThreadSafe)

    /// Prints which peers are left out, and the packages to install.
    @MainActor
    static func reportMissing() {
        for peer in all where peer.make() == nil {
            let package = peer.library.map { " (Debian's \($0.package))" } ?? ""
            print("\(peer.subject) is omitted, because its headers were not found\(package)")
        }
    }
}
