protocol Announcement: Sendable {
    var name: String { get }

    var isWanted: Bool { get }

    func post(row: Int64)
}

struct CommittedPost: Sendable {
    let row: Int64
    let announcement: any Announcement
    var part: CommittedPart?
}

/// The part of a transaction after a savepoint. The part may be rolled back although the transaction is committed.
struct CommittedPart: Sendable {
    let id: String
    let isCommitted: @Sendable () async -> Bool
}

/// Posts committed notifications from a task, because observers that ran during the commit couldn't use the database.
final class CommittedPosts: Sendable {
    private enum Item: Sendable {
        case posts([CommittedPost])
        case resume(CheckedContinuation<Void, Never>)
    }

    private let items = GatheredItems<Item>()

    func append(_ posts: [CommittedPost]) {
        // While the task runs, all posts are queued, because an observer may be registered before they are handled.
        if items.isRunning || posts.contains(where: \.announcement.isWanted) {
            items.add(.posts(posts), handling: Self.handle)
        }
    }

    private static func handle(_ items: [Item]) async {
        var (part, isCommitted): (String?, Bool) = (nil, true)
        for item in items {
            switch item {
            case .resume(let continuation): continuation.resume()
            case .posts(let posts):
                for post in posts {
                    if let next = post.part, next.id != part {
                        (part, isCommitted) = (next.id, await next.isCommitted())
                    }
                    if post.part == nil || isCommitted { post.announcement.post(row: post.row) }
                }
            }
        }
        await Task.yield()
    }

    func drain() async {
        await withCheckedContinuation { items.add(.resume($0), handling: Self.handle) }
    }
}
