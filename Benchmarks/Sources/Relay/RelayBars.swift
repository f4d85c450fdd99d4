/// What relays have to reach beside the C client, as ratios of one run.
extension Bar {
    static let relays = [
        Bar("relayed, transient", 1, .coded, .faster(0.25), .cClient, towards: .faster(0.8)),
        Bar("relayed, transient", 1, .json, .faster(0.1), .cClient, towards: .faster(0.45)),
        Bar("relayed, stored", 1, .coded, .faster(0.45), .cClient, towards: .faster(0.6)),
        Bar("relayed, stored", 1, .json, .faster(0.3), .cClient, towards: .faster(0.4)),
        Bar("relayed, taken from a stream", 1, .coded, .faster(0.25), .cClient, towards: .faster(0.4)),
        Bar("relayed, taken from a stream", 1, .json, .faster(0.18), .cClient, towards: .faster(0.25)),
        Bar("relayed, there and back", 1, .coded, .atMost(2), .cClient, towards: .atMost(1.5)),
    ]
}
