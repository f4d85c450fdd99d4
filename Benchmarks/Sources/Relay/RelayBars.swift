/// What relays have to reach beside the C client, as ratios of one run.
extension Bar {
    static let relays = [
        Bar("relayed, transient", 1, .coded, .faster(0.6), .cClient, towards: .faster(0.8)),
        Bar("relayed, transient", 1, .json, .faster(0.2), .cClient, towards: .faster(0.45)),
        Bar("relayed, stored", 1, .coded, .faster(0.6), .cClient),
        Bar("relayed, stored", 1, .json, .faster(0.4), .cClient),
        Bar("relayed, taken from a stream", 1, .coded, .faster(0.35), .cClient, towards: .faster(0.4)),
        Bar("relayed, taken from a stream", 1, .json, .faster(0.25), .cClient),
        Bar("relayed, there and back", 1, .coded, .atMost(1.5), .cClient),
    ]
}
