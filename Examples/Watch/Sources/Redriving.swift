#if NATS
    import TidingsFoundation
    import TidingsRelay

    /// Sends the dead letters of a stream back to the consumers that gave up on them, and prints them.
    struct Redriving {
        private let address: String

        init(_ address: String) { self.address = address }

        /// Redrives the dead letters with the given numbers, or all of them if the set is empty. Returns the exit
        /// status, which is 1 if a number isn't among the dead letters. Throws a fault if the server can't be reached
        /// or refuses the request.
        func run(_ stream: String, _ numbers: Set<UInt64>) async throws -> Int32 {
            let center = NativeNotificationCenter()
            let relay = try NotificationRelay(center, to: NATSServer(address), as: "watch-redrive", routes: [])
            let token = center.addObserver(for: RelayFault.self) { Terminal.tell("\($0)") }
            let running = Task { await relay.run() }
            await relay.waitUntilReady()
            let letters = try await relay.deadLetters(of: stream).filter {
                numbers.isEmpty || numbers.contains($0.number)
            }
            for letter in letters {
                Terminal.tell("\(letter.number): \(letter.subject) for \(letter.consumer), reason: \(letter.reason)")
            }
            let count = try await relay.redrive(letters)
            Terminal.tell("\(count) sent back")
            await relay.finish()
            await running.value
            token.cancel()
            return numbers.isEmpty || letters.count == numbers.count ? 0 : 1
        }
    }
#endif
