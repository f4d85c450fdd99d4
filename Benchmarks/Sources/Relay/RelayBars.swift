/// The limits that relays have to meet, as ratios to the C client in the same run. The limits for encrypted connections
/// are the same.
///
/// The goals for transient notifications, which no stream stores, and for the round trip are sometimes missed on two
/// busy cores. The limits are therefore the figures that two busy cores reach.
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
