import OpenCombine

/// Everyday uses of OpenCombine, and of an array of handlers that a mutex protects. Neither supports owners or senders,
/// so the closures check them.
extension PostingWay {
    static let openCombine: [PostingWay] = [
        PostingWay(subject: .openCombine) {
            let subject = PassthroughSubject<Ping, Never>()
            let token = subject.sink { $0.sink.add(Handler.Kind0.weight(0)) }
            return { count, sink in
                withExtendedLifetime(token) { for _ in 0..<count { subject.send(Ping(sink: sink)) } }
            }
        },
        PostingWay(subject: .openCombine.with("tied to an owner")) {
            let subject = PassthroughSubject<Ping, Never>()
            let owner = Account()
            let token = subject.sink { [weak owner] note in
                if let owner { note.sink.add(owner.weight) }
            }
            return { count, sink in
                withExtendedLifetime((owner, token)) { for _ in 0..<count { subject.send(Ping(sink: sink)) } }
            }
        },
        PostingWay(subject: .openCombine.with("limited to an object")) {
            let subject = PassthroughSubject<FromObject, Never>()
            let sender = Account()
            let token = subject.filter { [weak sender] in $0.sender === sender }
                .sink { $0.sink.add(Handler.Kind0.weight(0)) }
            return { count, sink in
                withExtendedLifetime(token) {
                    for _ in 0..<count { subject.send(FromObject(sender: sender, sink: sink)) }
                }
            }
        },
    ]

    static let mutex: [PostingWay] = [
        PostingWay(subject: .mutexOfSlots) {
            let handlers = HandlerList<Ping>()
            handlers.add { $0.sink.add(Handler.Kind0.weight(0)) }
            return { count, sink in for _ in 0..<count { handlers.emit(Ping(sink: sink)) } }
        },
        PostingWay(subject: .mutexOfSlots.with("tied to an owner")) {
            let handlers = HandlerList<Ping>()
            let owner = Account()
            handlers.add { [weak owner] note in
                if let owner { note.sink.add(owner.weight) }
            }
            return { count, sink in
                withExtendedLifetime(owner) { for _ in 0..<count { handlers.emit(Ping(sink: sink)) } }
            }
        },
        PostingWay(subject: .mutexOfSlots.with("limited to an object")) {
            let handlers = HandlerList<FromObject>()
            let sender = Account()
            handlers.add { [weak sender] note in
                if note.sender === sender { note.sink.add(Handler.Kind0.weight(0)) }
            }
            return { count, sink in for _ in 0..<count { handlers.emit(FromObject(sender: sender, sink: sink)) } }
        },
    ]
}
