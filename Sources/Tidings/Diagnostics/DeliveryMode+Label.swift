extension DeliveryMode {
    /// The delivery as one word, for labels of metrics and the like.
    package var label: String {
        switch self {
        case .inPost: "in_post"
        case .inPostOnMainActor: "in_post_on_main_actor"
        case .mainActor: "main_actor"
        case .actor: "actor"
        case .task: "task"
        case .queue: "queue"
        case .sequence: "sequence"
        default: "other"
        }
    }
}
