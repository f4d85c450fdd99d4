/// What relays have to reach beside the C client, as ratios of one run, whether or not connections are encrypted.
///
/// Those of transients, and of the way there and back, are missed now and then on two busy cores: what is held is what they reach there.
extension Bar {
    static let relays = [
        Bar("relayed, transient", 1, .coded, .faster(0.35), .cClient, towards: .faster(0.45)),
        Bar("relayed, transient", 1, .json, .faster(0.15), .cClient, towards: .faster(0.2)),
        Bar("relayed, stored", 1, .coded, .faster(0.6), .cClient),
        Bar("relayed, stored", 1, .json, .faster(0.4), .cClient),
        Bar("relayed, taken from a stream", 1, .coded, .faster(0.3), .cClient),
        Bar("relayed, taken from a stream", 1, .json, .faster(0.2), .cClient),
        Bar("relayed, there and back", 1, .coded, .atMost(2), .cClient, towards: .atMost(1.5)),
    ]
}
