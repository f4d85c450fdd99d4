import Foundation
import Tidings
import TidingsFoundation

/// A problem of a service, which `Shop --fault NAME` plants.
enum Fault: String, CaseIterable {
    case hang, observers, owners, drops, outlier, queue, cycle, storm, pool, sender, condition, nobody, retry, errors,
        main
}

private struct Alpha: TypedNotification { var number = 0 }
private struct Beta: TypedNotification {}
private struct Branched: TypedNotification { let sender: Branch }
private struct Refused: Error { let card: String }

/// The observers and posts of one fault. Threads make the posts, so the posts continue while the cooperative pool is
/// blocked.
///
/// The line that causes a fault ends in a comment with the fault's name, which a test looks for.
final class Faults: @unchecked Sendable {  // each variable is used by one thread at a time
    let center = NativeNotificationCenter()
    private var tokens: [NotificationToken] = []
    private var owners: [Owner] = []

    private final class Owner: Sendable {}

    /// Plants a fault, which lasts as long as the program.
    func plant(_ fault: Fault) {
        let center = center
        switch fault {
        case .hang:
            add(center.addObserver(on: .task, for: Alpha.self) { _ in await waitForParcel() })  // hang
            post(every: 0.2) { center.post(Alpha()) }
        case .observers:
            add(center.addObserver(for: Alpha.self) { _ in })
            post(every: 0.1) { [self] in
                add(center.addObserver(for: Alpha.self) { _ in })  // observers
                center.post(Alpha())
            }
        case .owners:
            post(every: 0.1) { [self] in
                let owner = Owner()
                owners.append(owner)
                center.addObserver(owner, for: Alpha.self) { _, _ in }  // owners
                center.post(Alpha())
            }
        case .drops:
            let (queue, policy) = (OperationQueue(), BufferingPolicy.oldest(5))
            add(center.addObserver(on: .queue(queue), for: Alpha.self, buffering: policy) { _ in pause() })  // drops
            post(every: 0.02) { center.post(Alpha()) }
        case .outlier:
            add(center.addObserver(for: Alpha.self) { if $0.number % 40 == 39 { pause(0.3) } })  // outlier
            post(every: 0.005) { [numbers = Numbers()] in center.post(Alpha(number: numbers.next())) }
        case .queue:
            let queue = OperationQueue()
            add(center.addObserver(on: .queue(queue), for: Alpha.self) { _ in pause(0.1) })  // queue
            post(every: 0.05) { center.post(Alpha()) }
        case .cycle:
            add(center.addObserver(on: .task, for: Alpha.self) { _ in center.post(Beta()) })  // cycle
            add(center.addObserver(on: .task, for: Beta.self) { _ in center.post(Alpha()) })
            center.post(Alpha())
        case .storm:
            add(center.addObserver(for: Alpha.self) { _ in })
            post(every: 0.001) { for _ in 0..<100 { center.post(Alpha()) } }  // storm
        case .pool:
            add(center.addObserver(on: .task, for: Beta.self) { _ in })
            let threads = ProcessInfo.processInfo.activeProcessorCount
            for _ in 0..<threads {
                add(center.addObserver(on: .task, for: Alpha.self) { _ in while true { pause(1) } })  // pool
            }
            post(every: 0.2) {
                center.post(Alpha())
                center.post(Beta())
            }
        case .sender:
            add(center.addObserver(for: Branched.self, sender: .station) { _ in })
            add(center.addObserver(for: Branched.self, sender: .harbour) { _ in })  // sender
            post(every: 0.1) { center.post(Branched(sender: .station)) }
        case .condition:
            add(center.addObserver(on: .task, for: Alpha.self, where: { $0.number < 0 }) { _ in })  // condition
            post(every: 0.1) { center.post(Alpha()) }
        case .nobody:
            post(every: 0.1) { center.post(Alpha()) }  // nobody
        case .retry:
            let refused = Refused(card: "4111")
            let again = FailureResponse.retry(after: Array(repeating: .milliseconds(500), count: 1000))
            add(center.addObserver(on: .task, for: Alpha.self, onFailure: again) { _ in throw refused })  // retry
            center.post(Alpha())
        case .errors:
            add(center.addObserver(on: .task, for: Alpha.self) { _ in throw Refused(card: "4111") })  // errors
            post(every: 0.2) { center.post(Alpha()) }
        case .main:
            add(center.addObserver(on: .main, for: Alpha.self) { _ in pause(0.1) })  // main
            post(every: 0.1) { center.post(Alpha()) }
        }
    }

    private func add(_ token: NotificationToken) { tokens.append(token) }

    private func post(every seconds: Double, _ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            while true {
                body()
                pause(seconds)
            }
        }
    }
}

private final class Numbers: @unchecked Sendable {  // used by one thread
    private var last = 0
    func next() -> Int {
        last += 1
        return last
    }
}

private func pause(_ seconds: Double = 0.1) { Thread.sleep(forTimeInterval: seconds) }

/// Never returns, but occupies no thread. The inspector shows the step at which it hangs.
private func waitForParcel() async {
    Tidings.mark("waiting for a parcel")
    while true { try? await Task.sleep(for: .seconds(3600)) }
}
