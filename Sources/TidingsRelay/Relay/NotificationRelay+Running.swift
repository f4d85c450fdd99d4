import Tidings

#if ServiceLifecycle
    import ServiceLifecycle
#endif

extension NotificationRelay {
    /// Connects, and stays connected, until ``stop(within:)`` is called or the task is cancelled. It is called once.
    ///
    /// What is posted before is not lost: it waits.
    ///
    /// With the trait `ServiceLifecycle` the relay is a `Service`: when the program shuts down gracefully, it stops within
    /// ``RelayOptions/finishingTime``. A service group shuts its services down in reverse order, so the relay stands before the services
    /// and the groups of observers that post what is to go out.
    public func run() async {
        #if ServiceLifecycle
            await withGracefulShutdownHandler {
                await runUntilStopped()
            } onGracefulShutdown: {
                // The run ends with it, so nobody has to wait for this task.
                Task { await self.stop(within: self.options.finishingTime) }
            }
        #else
            await runUntilStopped()
        #endif
    }

    private func runUntilStopped() async {
        let isFirst = state.withLock { state in
            defer { state.hasRun = true }
            return !state.hasRun
        }
        precondition(isFirst, "a relay runs once")
        await withTaskGroup { group in
            group.addTask { await self.keepConnected() }
            group.addTask { await self.keepTime() }
            await isOver.wait()
            // Also if the task was cancelled.
            isOver.turnOn()
            group.cancelAll()
            state.withLock { $0.link }?.close()
        }
        end()
    }

    /// Takes nothing more, waits until observers have finished and everything is stored, and ends ``run()``.
    ///
    /// - Parameter limit: How long to wait. What is not stored then is a ``RelayFault/Kind/stopped``.
    public func stop(within limit: Duration = .seconds(10)) async {
        let observed = state.withLock { state in
            defer { state.observed = [:] }
            return state.observed
        }
        if !isOver.isOn { tell(.finishing) }
        for route in observed.values { route.token.cancel() }
        sending?.stop()
        for route in routes { route.reading?.reader.update { $0.stop(at: clock.now) } }
        let isFinished = Switch()
        // Not a group of tasks: a server that takes nothing holds up the flush for longer than the limit.
        Task {
            await finish()
            isFinished.turnOn()
        }
        let limiting = Task {
            try? await clock.sleep(for: limit)
            isFinished.turnOn()
        }
        await isFinished.wait()
        limiting.cancel()
        // What still waits is given up, which ends the first task, too.
        giveUp()
        sending?.end()
        isOver.turnOn()
    }

    /// Returns when observers have finished, and everything is stored and sent.
    private func finish() async {
        for route in routes {
            guard let reader = route.reading?.reader else { continue }
            await wait { continuation in reader.update { $0.waitForEnd(continuation) } }
        }
        for reading in routes.compactMap(\.reading) { await notePlace(of: reading, looks: 50) }
        await sending?.waitForEnd()
        await wait { continuation in outbox.update { $0.waitForEnd(continuation) } }
        _ = await state.withLock { $0.link }?.flush()
    }

    private func wait(_ begin: (CheckedContinuation<Void, Never>) -> Void) async {
        await withCheckedContinuation { begin($0) }
    }

    /// Settles what will not be stored any more, and lets go who waits for observers.
    private func giveUp() {
        outbox.update { $0.close(RelayFault(.stopped, "the relay has ended before the notification was stored")) }
        for message in transients.withLock({ $0.takeWaiting() }) {
            report(
                RelayFault(.stopped, subject: message.subject, "the relay has ended before the notification was sent"))
        }
        for route in routes { route.reading?.reader.update { $0.abandon() } }
    }

    private func end() {
        let observed = state.withLock { state in
            defer {
                state.link = nil
                state.observed = [:]
            }
            return state.observed
        }
        for route in observed.values { route.token.cancel() }
        giveUp()
        sending?.end()
        questions.fail()
        isReady.turnOn()
        reports.tick(isLast: true)
        endLag()
        tell(.ended)
    }

    /// Has the state machines look at the clock.
    private func keepTime() async {
        let heartbeat = Heartbeat(every: options.acknowledgementTime / 4) { [routes, clock] in
            for reading in routes.compactMap(\.reading) { reading.reader.update { $0.keepAlive(at: clock.now) } }
        }
        defer { withExtendedLifetime(heartbeat) {} }
        while (try? await clock.sleep(for: .milliseconds(100))) != nil {
            outbox.update { $0.tick(at: clock.now) }
            questions.tick(at: clock.now)
            reports.tick()
            lookForObservers()
            notePlaces()
            watchLag()
            sending?.tick(self)
            for reading in routes.compactMap(\.reading) {
                reading.redeliveries.update { $0.tick(at: clock.now) }
                if reading.reader.update({ $0.tick(at: clock.now) }) {
                    missConsumer(reading, "nothing is heard of the consumer")
                }
            }
        }
    }

    /// Makes one link after the other.
    private func keepConnected() async {
        var pauses = ConnectionPauses()
        var generator = SystemRandomNumberGenerator()
        while !isOver.isOn, !Task.isCancelled {
            do throws(RelayFault) {
                let attempt = ConnectionAttempt(connector) { [weak self] in self?.take($0) }
                guard let link = try await attempt.link() else { return }
                let beginning = clock.now
                defer { pauses.noteEnd(after: clock.now - beginning) }
                try await use(link)
                if isOver.isOn || Task.isCancelled { return }
                report(RelayFault(.connectionLost, "the connection has ended"))
            } catch {
                if isOver.isOn || Task.isCancelled { return }
                report(error)
            }
            try? await clock.sleep(for: pauses.next(using: &generator))
        }
    }

    /// Uses a link until it ends.
    ///
    /// - Throws: A fault if it cannot be used at all.
    private func use(_ link: any Link) async throws(RelayFault) {
        let ending = Task {
            await link.waitForEnd()
            // Who asks something while the link is being set up does not wait in vain.
            questions.fail()
        }
        state.withLock { state in
            state.link = link
            state.maximumPayload = link.maximumPayload
        }
        // Who ends the relay closes the link that is there, and may have looked before this one was.
        if isOver.isOn { link.close() }
        let result = await setUp(link)
        if case .success(let setUp) = result, !isOver.isOn {
            outbox.update { $0.connect(link, at: clock.now) }
            sendWaitingTransients(over: link)
            sending?.setConnected(true, self)
            let reading = Task { await read(setUp.readings, over: link) }
            // Told before those go on who wait for it: what they do next, as to stop the relay, is told after it.
            tell(.connected)
            isReady.turnOn()
            await ending.value
            reading.cancel()
            await reading.value
        } else {
            link.close()
            await ending.value
        }
        if !isOver.isOn { isReady.turnOff() }
        if case .success = result { tell(.disconnected) }
        let late = state.withLock { state in
            defer { (state.link, state.unobserved, state.late) = (nil, [], []) }
            return state.late
        }
        withExtendedLifetime(late) {}
        sending?.setConnected(false, self)
        outbox.update { $0.disconnect() }
        transients.withLock { $0.disconnect() }
        for reading in routes.compactMap(\.reading) {
            reading.reader.update { $0.disconnect() }
            reading.redeliveries.update { $0.disconnect() }
        }
        _ = try result.get()
    }
}
