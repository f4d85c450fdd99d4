// swift-tools-version: 6.3

import PackageDescription

// A server that accepts orders: services that depend only on the center and its outbox in SQLite, an audit log behind a
// bus, a stream of events, and a shutdown that loses nothing.
let package = Package(
    name: "warehouse",
    platforms: [.macOS(.v15)],
    traits: [
        .trait(name: "PostgreSQL", description: "orders in PostgreSQL; requires its C client (libpq)"),
        .trait(
            name: "NATS", description: "orders in a NATS stream; requires its C client (libnats)"),
    ],
    dependencies: [
        .package(
            name: "tidings", path: "../..",
            traits: [
                "Logging", "Metrics", "Tracing", "ServiceLifecycle", "GRDB",
                .trait(name: "Libpq", condition: .when(traits: ["PostgreSQL"])),
                .trait(name: "NATS", condition: .when(traits: ["NATS"])),
            ]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "Warehouse",
            dependencies: [
                .product(name: "Tidings", package: "tidings"),
                .product(name: "TidingsOutbox", package: "tidings"),
                .product(name: "TidingsRelay", package: "tidings", condition: .when(traits: ["NATS"])),
                .product(name: "TidingsServer", package: "tidings"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .executableTarget(
            name: "WarehouseServer",
            dependencies: [
                "Warehouse",
                .product(name: "TidingsServer", package: "tidings"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // The same server, measured with and without its monitors: see Load/cost.
        .executableTarget(
            name: "MeasuredServer",
            dependencies: [
                "Warehouse",
                .product(name: "TidingsServer", package: "tidings"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            path: "Load/Server", swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "WarehouseTests",
            dependencies: [
                "Warehouse",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
                .product(name: "TidingsTesting", package: "tidings"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
