struct Peer {
    let subject: Subject

    var isThreadSafe = true

    var library: CxxSignal.Library?

    /// Creates the peer's signal, or returns `nil` if the peer wasn't available during the build.
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

    @MainActor static let threadSafe = installed.filter(\.isThreadSafe)

    @MainActor
    static func reportMissing() {
        for peer in all where peer.make() == nil {
            let package = peer.library.map { " (Debian's \($0.package))" } ?? ""
            print("\(peer.subject) is omitted, because its headers were not found\(package)")
        }
    }
}
