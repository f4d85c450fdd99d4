extension Snippet {
    /// The `object` of an observer with a descriptor must be `Sendable`. A main-actor descriptor also accepts an object
    /// that no other code uses.
    static let descriptors = plainObjects + mainActorObjects

    private static let kinds = """
        struct Finished: NotificationDescriptor {
            typealias Payload = Int
            let name = Notification.Name("Finished")
        }
        struct Moved: MainActorNotificationDescriptor {
            typealias Payload = Int
            let name = Notification.Name("Moved")
        }

        """

    private static let plainObjects = [
        ("of an observer", "_ = center.addObserver(descriptor: Finished(), object: object) { _ in }"),
        ("of an observer of results", "_ = center.addObserver(resultOf: Finished(), object: object) { _ in }"),
        ("of an owned observer", "center.addObserver(account, descriptor: Finished(), object: object) { _, _ in }"),
        ("of a sequence", "_ = center.notifications(descriptor: Finished(), object: object)"),
        ("of a wait for the first payload", "_ = await center.first(descriptor: Finished(), object: object)"),
        (
            "of a wait for the first payload, with a closure to perform",
            "_ = await center.first(descriptor: Finished(), object: object, performing: {})"
        ),
    ]
    .map { name, call in
        Snippet(
            "a non-Sendable object \(name)", .error("type 'View' does not conform to the 'Sendable' protocol"),
            kinds
                + "func f(_ center: NotificationCenter, _ account: Account, _ object: «View|Account») async { \(call) }"
        )
    }

    private static let mainActorObjects = [
        ("of an observer", "_ = center.addObserver(descriptor: Moved(), object: «view|View()») { _ in }"),
        ("of an observer of results", "_ = center.addObserver(resultOf: Moved(), object: «view|View()») { _ in }"),
        ("of an owned observer", "center.addObserver(account, descriptor: Moved(), object: «view|View()») { _, _ in }"),
    ]
    .flatMap { name, call in
        ["", "@MainActor "].map { isolation in
            Snippet(
                "an object that other code uses, \(name) with a main-actor descriptor, in a \(isolation)function",
                .error("risks causing data races"),
                kinds + "\(isolation)func f(_ center: NotificationCenter, _ account: Account, _ view: View) { \(call) }"
            )
        }
    }
}
