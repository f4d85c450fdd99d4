extension Snippet {
    /// The object that limits an observer with a descriptor has to be `Sendable`. For a main-actor descriptor, it is
    /// enough that no other code uses the object.
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
        ("an observer's", "_ = center.addObserver(descriptor: Finished(), object: object) { _ in }"),
        ("an observer of results'", "_ = center.addObserver(resultOf: Finished(), object: object) { _ in }"),
        ("an owner's", "center.addObserver(account, descriptor: Finished(), object: object) { _, _ in }"),
        ("a sequence's", "_ = center.notifications(descriptor: Finished(), object: object)"),
        ("the first payload's", "_ = await center.first(descriptor: Finished(), object: object)"),
        (
            "the first payload's, with its cause",
            "_ = await center.first(descriptor: Finished(), object: object, performing: {})"
        ),
    ]
    .map { name, call in
        Snippet(
            "\(name) object that is not Sendable", .error("type 'View' does not conform to the 'Sendable' protocol"),
            kinds
                + "func f(_ center: NotificationCenter, _ account: Account, _ object: «View|Account») async { \(call) }"
        )
    }

    private static let mainActorObjects = [
        ("an observer's", "_ = center.addObserver(descriptor: Moved(), object: «view|View()») { _ in }"),
        ("an observer of results'", "_ = center.addObserver(resultOf: Moved(), object: «view|View()») { _ in }"),
        ("an owner's", "center.addObserver(account, descriptor: Moved(), object: «view|View()») { _, _ in }"),
    ]
    .flatMap { name, call in
        ["", "@MainActor "].map { isolation in
            Snippet(
                "\(name) shared object of a main-actor descriptor, \(isolation)",
                .error("risks causing data races"),
                kinds + "\(isolation)func f(_ center: NotificationCenter, _ account: Account, _ view: View) { \(call) }"
            )
        }
    }
}
