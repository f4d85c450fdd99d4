extension Snippet {
    /// What an observer with a descriptor may be limited to: something that each thread that posts may compare and retain, or
    /// that only the main actor looks at.
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
        ("a sequence's", "_ = center.notifications(of: Finished(), object: object)"),
        ("the first payload's", "_ = await center.first(of: Finished(), object: object)"),
        ("the first payload's, with its cause", "_ = await center.first(of: Finished(), object: object) {}"),
    ]
    .map { name, call in
        Snippet(
            "\(name) object that is not Sendable", .error("type 'View' does not conform to the 'Sendable' protocol"),
            kinds
                + "func f(_ center: NotificationCenter, _ account: Account, _ object: «View|Account») async { \(call) }"
        )
    }

    private static let mainActorObjects = [
        ("an observer's", "addObserver", "_ = center.addObserver(descriptor: Moved()«, object: view|») { _ in }"),
        (
            "an observer of results'", "addObserver",
            "_ = center.addObserver(resultOf: Moved()«, object: view|») { _ in }"
        ),
        ("an owner's", "addObserver", "center.addObserver(account, descriptor: Moved()«, object: view|») { _, _ in }"),
        ("a sequence's", "notifications", "_ = center.notifications(of: Moved()«, object: view|»)"),
    ]
    .flatMap { name, method, call in
        let refused = Expected.error("call to main actor-isolated instance method '\(method)")
        let function = "func f(_ center: NotificationCenter, _ account: Account, _ view: View) { \(call) }"
        return [
            Snippet("\(name) object of a main-actor descriptor, off the main actor", refused, kinds + function),
            Snippet(
                "\(name) object of a main-actor descriptor, on the main actor", refused,
                kinds + "«|@MainActor» " + function.replacing(/«(?<object>.*?)\|»/) { $0.output.object }),
        ]
    }
}
