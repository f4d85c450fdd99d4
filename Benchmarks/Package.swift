// swift-tools-version: 6.3

import PackageDescription

/// The settings of the library's own targets.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let isRelay = Context.environment["BENCHMARK_RELAY"] != nil

/// The traits of Tidings. If `BENCHMARK_NATS` is set, `compare` uses the same traits as `relay`, so that both share one
/// build.
let traits: Set<Package.Dependency.Trait> =
    isRelay || Context.environment["BENCHMARK_NATS"] != nil
    ? ["Logging", "Metrics", "Tracing", "NATS"] : ["Logging", "Metrics", "Tracing"]

let package = Package(
    name: "benchmarks",
    // Foundation's typed messages require macOS 26.
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "tidings", path: "..", traits: traits),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: [
        .executableTarget(
            name: "compare",
            dependencies: [
                "CMachine",
                "CxxSignals",
                "OpenCombine",
                .product(name: "Tidings", package: "tidings"),
                .product(name: "TidingsFoundation", package: "tidings"),
                .product(name: "TidingsInspector", package: "tidings"),
                .product(name: "TidingsServer", package: "tidings"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Compare", swiftSettings: settings),
        // Measures how the costs of operations grow with the size of data structures.
        .executableTarget(
            name: "growth",
            dependencies: [
                "CMachine",
                .product(name: "TidingsFoundation", package: "tidings"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Growth", swiftSettings: settings),
        .target(name: "CMachine"),
        // Wraps Boost.Signals2 and libsigc++, each only if its headers are installed.
        .target(name: "CxxSignals", dependencies: ["CSigc"]),
        // Finds libsigc++. The package builds without it, too.
        .systemLibrary(name: "CSigc", pkgConfig: "sigc++-3.0", providers: [.apt(["libsigc++-3.0-dev"])]),
    ],
    cxxLanguageStandard: .cxx17
)

// If `BENCHMARK_RELAY` is set, the package contains only the relay benchmark. That benchmark needs NATS's C client.
if isRelay {
    package.targets = [
        .executableTarget(
            name: "relay",
            dependencies: [
                "BareClient",
                .product(name: "Tidings", package: "tidings"),
                .product(name: "TidingsRelay", package: "tidings"),
                "CMachine",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources",
            // The relay benchmark uses these files of the `compare` harness.
            sources: [
                "Relay"
            ]
                + [
                    "Bar", "Machine", "Miscount", "Outcome", "Result", "Runner", "Sample", "StackDepth", "Statistic",
                    "Subject",
                    "Table",
                    "Workload",
                ].map { "Compare/Harness/\($0).swift" },
            swiftSettings: settings),
        .target(name: "CMachine"),
        // Calls NATS's C client directly, like a C program.
        .target(name: "BareClient", linkerSettings: [.linkedLibrary("nats")]),
    ]
}

// The outbox is measured in a separate package graph, because nothing else here needs GRDB, SQLite and libpq. If
// `BENCHMARK_OUTBOX` is `sending`, the benchmark also sends notifications from the outbox through a relay, and needs
// NATS's C client.
if let kind = Context.environment["BENCHMARK_OUTBOX"] {
    let sends = kind == "sending"
    package.dependencies = [
        .package(name: "tidings", path: "..", traits: sends ? ["GRDB", "Libpq", "NATS"] : ["GRDB", "Libpq"]),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ]
    package.targets = [
        .executableTarget(
            name: "outbox",
            dependencies: [
                .product(name: "Tidings", package: "tidings"),
                .product(name: "TidingsOutbox", package: "tidings"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ] + (sends ? [.product(name: "TidingsRelay", package: "tidings")] : []),
            path: "Sources", sources: ["Outbox"] + (sends ? ["Relay/Server.swift"] : []),
            swiftSettings: settings + (sends ? [.define("SENDING")] : []))
    ]
}
