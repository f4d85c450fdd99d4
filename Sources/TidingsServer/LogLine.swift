#if Logging
    import Logging
    import Tidings

    struct LogLine {
        let message: Logger.Message
        private(set) var metadata: Logger.Metadata

        init?(_ event: NotificationEvent, withErrorText hasErrorText: Bool) {
            switch event {
            case .registered(let observer):
                self.init("observer registered", observer)
            case .ended(let observer, let reason):
                self.init("observation ended", observer, ["reason": "\(reason)"])
            case .posted(let post):
                self.init(
                    "notification posted", ["notification": "\(post.subject)", "observers": "\(post.observers)"])
                metadata["tidings.post"] = "\(post.id)"
                metadata["tidings.cause"] = post.cause.map { "\($0)" }
                metadata["tidings.duration"] = post.duration?.words
                metadata["tidings.posted_at"] = post.place.map { "\($0)" }
            case .queued(let observer, let waiting):
                self.init("notification waits", observer, ["waiting": "\(waiting)"])
                notePostOfThread()
            case .delivered(let delivery):
                self.init("notification delivered", delivery.observer, ["waiting": "\(delivery.waiting)"])
                note(delivery.id)
                metadata["tidings.duration"] = delivery.duration?.words
                metadata["tidings.wait_time"] = delivery.waited?.words
            case .dropped(let observer, let total):
                self.init("notification dropped", observer, ["dropped": "\(total)"])
                notePostOfThread()
            case .failed(let failure):
                var details: Logger.Metadata = ["kind": "\(failure.kind)", "reason": "\(failure.description)"]
                if let observer = failure.observer {
                    if let error = failure.error {
                        details["error"] = "\(shownWords(of: error))"
                        if hasErrorText { details["reason"] = "an observer threw \(error): \(observer)" }
                    }
                    self.init(
                        failure.retry == nil ? "notification failed" : "notification will be retried", observer, details
                    )
                    if let retry = failure.retry { note(retry) }
                } else {
                    self.init(
                        "notification failed", details.merging(["notification": "\(failure.notification)"]) { $1 })
                }
                if let delivery = failure.delivery { note(delivery) }
            case .warning(let warning):
                self.init(warning)
            @unknown default:
                return nil
            }
        }

        /// `calls` contains an element for each observer with a running call or queued notifications.
        init(poolBlockedFor delay: Duration, _ calls: [CallUnderWay]) {
            let occupying = calls.filter { call in
                call.isRunning && [.actor, .task].contains(call.observer.delivery)
            }
            self.init(
                "the cooperative thread pool starts no work",
                [
                    "duration": delay.words, "waiting": "\(calls.count { !$0.isRunning })",
                    "occupied_by": .array(
                        occupying.prefix(8).map { "\($0.observer.subject.label) at \($0.observer.place)" }),
                ])
        }

        private init?(_ warning: ObserverWarning) {
            switch warning {
            case .longQueue(let observer, let waiting):
                self.init("many notifications wait", observer, ["waiting": "\(waiting)"])
            case .growingQueue(let observer, let growth, let duration, let waiting):
                self.init(
                    "the queue grows", observer,
                    ["growth": "\(growth)", "duration": duration.words, "waiting": "\(waiting)"])
            case .busyMainActor(let observer, let share, let duration):
                self.init(
                    "the main actor is kept busy", observer, ["share": "\(share)", "duration": duration.words])
            case .queueRecovered(let observer, let most):
                self.init("the queue has recovered", observer, ["most_waiting": "\(most)"])
            case .drops(let observer, let count, let total):
                self.init("notifications dropped", observer, ["count": "\(count)", "dropped": "\(total)"])
            case .failures(let observer, let count, let latest):
                self.init("notifications failed", observer, ["count": "\(count)", "reason": "\(latest)"])
            case .retries(let observer, let count, let latest):
                self.init("notifications will be retried", observer, ["count": "\(count)", "reason": "\(latest)"])
            case .reachedNobody(let observer, let place):
                self.init("post reached no observer", observer)
                metadata["tidings.posted_at"] = place.map { "\($0)" }
            case .slowOnMainActor(let observer, let duration):
                self.init("observer is slow on the main actor", observer, ["duration": duration.words])
            case .slowCall(let observer, let duration, let waiting, let mark):
                self.init("a call is taking long", observer, ["duration": duration.words, "waiting": "\(waiting)"])
                if let mark {
                    metadata["tidings.mark"] = "\(mark.name)"
                    metadata["tidings.marked_at"] = "\(mark.place)"
                    metadata["tidings.marked_for"] = mark.age.words
                }
            case .stalledQueue(let observer, let duration, let waiting):
                self.init(
                    "queued notifications are not handled", observer,
                    ["duration": duration.words, "waiting": "\(waiting)"])
            case .callRecovered(let observer, let duration):
                self.init("the observer continues", observer, ["duration": duration.words])
            case .lastingOwner(let observer, let owner, let age):
                self.init("old observation's owner is still alive", observer, ["owner": "\(owner)", "age": age.words])
            case .registeredAgain(let observer):
                self.init("an owner registered a second observer from the same line", observer)
            @unknown default:
                return nil
            }
        }

        private init(_ message: Logger.Message, _ observer: ObserverDescription, _ metadata: Logger.Metadata = [:]) {
            let known: Logger.Metadata = [
                "notification": "\(observer.subject)", "delivery": "\(observer.delivery.label)",
                "registered_at": "\(observer.place)", "observer": "\(observer.label)",
                "observer_id": "\(observer.id)",
            ]
            self.init(message, known.merging(metadata) { known, _ in known })
            self.metadata["tidings.group"] = observer.group.map { "\($0)" }
        }

        /// Records the current post of the thread. Monitors receive the events `queued` and `dropped` during the post,
        /// on the thread that posts.
        private mutating func notePostOfThread() {
            metadata["tidings.post"] = NotificationPost.ID.ofThread.map { "\($0)" }
        }

        private mutating func note(_ retry: NotificationFailure.Retry) {
            metadata["tidings.attempt"] = "\(retry.attempt)"
            metadata["tidings.attempts"] = "\(retry.attempts)"
            metadata["tidings.delay"] = retry.delay.words
            metadata["tidings.last_response"] = "\(retry.lastResponse.rawValue)"
        }

        private mutating func note(_ delivery: NotificationDelivery.ID) {
            metadata["tidings.post"] = "\(delivery.post)"
            metadata["tidings.delivery_id"] = "\(delivery)"
        }

        private init(_ message: Logger.Message, _ metadata: Logger.Metadata) {
            self.message = message
            self.metadata = Logger.Metadata(uniqueKeysWithValues: metadata.map { ("tidings.\($0.key)", $0.value) })
        }
    }

    extension Duration {
        fileprivate var words: Logger.MetadataValue { "\(self / .seconds(1))" }
    }
#endif
