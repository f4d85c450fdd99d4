import Tidings

struct Shot<Tag: ShotTag>: TypedNotification {
    let sender: Target
    /// The reading of the ``Referee``'s logical clock just before the post.
    let time: Int
    let thread: Int
    let serial: Int
}

final class Target: Sendable {}

/// A tag that makes notification types distinct.
protocol ShotTag: SendableMetatype {}

enum Tag0: ShotTag {}
enum Tag1: ShotTag {}
enum Tag2: ShotTag {}
enum Tag3: ShotTag {}
enum Tag4: ShotTag {}
enum Tag5: ShotTag {}
enum Tag6: ShotTag {}
enum Tag7: ShotTag {}

enum ShotTags {
    static let one: [any ShotTag.Type] = [Tag0.self]
    static let many: [any ShotTag.Type] = [
        Tag0.self, Tag1.self, Tag2.self, Tag3.self, Tag4.self, Tag5.self, Tag6.self, Tag7.self,
    ]
}
