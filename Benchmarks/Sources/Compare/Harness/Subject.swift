struct Subject: Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static let tidings = Subject("Tidings")
    static let arrayOfClosures = Subject("array of closures")
    static let mutexOfClosures = Subject("mutex + closures")
    static let mutexOfSlots = Subject("mutex + unretained slots")
    static let foundationBlock = Subject("Foundation block + userInfo")
    static let foundationMainActorMessage = Subject("Foundation MainActorMessage")
    static let foundationAsyncMessage = Subject("Foundation AsyncMessage")
    static let openCombine = Subject("OpenCombine PassthroughSubject")
    static let asyncStream = Subject("AsyncStream")
    static let asyncChannel = Subject("AsyncChannel")
    static let boost = Subject("Boost.Signals2")
    static let sigc = Subject("libsigc++ 3")
    static let bareObjects = Subject("freeing and making the objects")
    static let lineTransfer = Subject("core-to-core line transfer")

    func with(_ circumstances: String) -> Subject { Subject("\(description), \(circumstances)") }
}
