// swift-tools-version: 6.3

import PackageDescription

/// The release builds to which the flags that reduce the size of programs apply. Documentation/Size.md describes the effect of each flag.
/// SwiftPM has accepted such flags in dependencies since Swift 6.2.
let linuxRelease = BuildSettingCondition.when(platforms: [.linux, .android], configuration: .release)

/// The settings every target is built with.
let settings: [SwiftSetting] = [
    // Lets the linker drop what a program doesn't use. By default, it keeps every public function, and keeps or drops all other
    // functions of a source file together.
    .unsafeFlags(["-Xfrontend", "-function-sections", "-Xfrontend", "-internalize-at-link"], linuxRelease),
    // Aligns functions to 4 bytes instead of 16.
    .unsafeFlags(["-Xllvm", "-align-all-functions=2"], linuxRelease),
    // Puts unwind tables only into the debug information, because exceptions never pass through Swift code, and Swift's backtraces
    // follow frame pointers. Android's crash reports need the tables.
    .unsafeFlags(["-Xllvm", "-force-attribute=nounwind"], .when(platforms: [.linux], configuration: .release)),
    // Existentials are spelled with `any`, so that their cost is visible.
    .enableUpcomingFeature("ExistentialAny"),
    // A member is visible only where its module is imported.
    .enableUpcomingFeature("MemberImportVisibility"),
    // An import isn't visible to clients unless it is a `public import`.
    .enableUpcomingFeature("InternalImportsByDefault"),
    // A nonisolated async function runs on the actor of its caller by default.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    // The conformances of a main-actor type are isolated to the main actor by default.
    .enableUpcomingFeature("InferIsolatedConformances"),
    // A weak capture is immutable, so a `Sendable` closure may have one.
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    // Every unsafe construct is marked with `unsafe`.
    .strictMemorySafety(),
    // Warnings are errors.
    .treatAllWarnings(as: .error),
]

/// Whether the engine uses no function of the operating system, as on an unknown system.
let isPortable = Context.environment["TIDINGS_PORTABLE"] != nil

/// With `TIDINGS_WEAK_REFERENCES` in the environment, owners and senders are held by weak references, as on systems with Objective-C. By
/// default, other systems use unowned references, whose counts are read by two functions of Swift's runtime.
let referenceSettings: [SwiftSetting] =
    Context.environment["TIDINGS_WEAK_REFERENCES"] != nil ? [.define("WEAK_REFERENCES")] : []

/// Leaves out the names of the engine's fields, because nothing prints its types.
let engineSizeSettings: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-disable-reflection-metadata"], linuxRelease)]

/// With `TIDINGS_ALLOCATED_ATOMICS` in the environment, each atomic variable allocates its memory. Neither variant requires newer systems than
/// those in `platforms`.
let allocatedAtomics: [SwiftSetting] =
    Context.environment["TIDINGS_ALLOCATED_ATOMICS"] != nil ? [.define("ALLOCATED_ATOMICS")] : []

/// Gives atomic variables memory with a stable address. By default this takes two experimental features of the compiler, which only the
/// engine uses and which release toolchains support.
let atomicSettings =
    allocatedAtomics.isEmpty
    ? [.enableExperimentalFeature("RawLayout"), .enableExperimentalFeature("BuiltinModule")] : allocatedAtomics

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

/// Uses the lock of Apple's systems, because the lock of Swift's libraries needs newer systems.
let unfairLock: [SwiftSetting] = [.define("UNFAIR_LOCK", .when(platforms: applePlatforms))]

/// The features of supported systems that the engine uses: a fence in every thread of the process, a wait for a word to change, and a clock.
let systemSettings: [SwiftSetting] =
    isPortable
    ? unfairLock
    : unfairLock + [
        .define("SYSTEM_FENCE", .when(platforms: applePlatforms + [.linux, .android, .windows])),
        .define("SYSTEM_LOCK", .when(platforms: [.linux, .android])),
        .define("SYSTEM_CLOCK", .when(platforms: applePlatforms + [.linux, .android])),
    ]

let package = Package(
    name: "tidings",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        .library(name: "Tidings", targets: ["Tidings"]),
        .library(name: "TidingsFoundation", targets: ["TidingsFoundation"]),
        // Adapters to the server packages, with a trait for each.
        .library(name: "TidingsServer", targets: ["TidingsServer"]),
        // Each module is empty on systems without its framework. A trait replaces Combine with OpenCombine.
        .library(name: "TidingsSwiftUI", targets: ["TidingsSwiftUI"]),
        .library(name: "TidingsCombine", targets: ["TidingsCombine"]),
        // Notifications that survive a crash, in the user's own database. Each kind of database has its trait.
        .library(name: "TidingsOutbox", targets: ["TidingsOutbox"]),
        .library(name: "TidingsRelay", targets: ["TidingsRelay"]),
        // Shows the activity of a running program. A trait adds a server.
        .library(name: "TidingsInspector", targets: ["TidingsInspector"]),
        // The inspector in a terminal.
        .executable(name: "tidings-top", targets: ["tidings-top"]),
        // Only for tests, because it links the test frameworks.
        .library(name: "TidingsTesting", targets: ["TidingsTesting"]),
        .library(name: "TidingsConformance", targets: ["TidingsConformance"]),
    ],
    // Adapters to other packages. The packages that a trait needs are fetched only if a client enables the trait.
    traits: [
        .trait(name: "Logging", description: "a monitor in TidingsServer that logs with swift-log"),
        .trait(
            name: "Metrics",
            description: "a monitor in TidingsServer, and metrics of outboxes and relays, with swift-metrics"),
        .trait(name: "Tracing", description: "a monitor in TidingsServer that traces with swift-distributed-tracing"),
        .trait(
            name: "ServiceLifecycle",
            description: "groups of observers in TidingsServer as services of swift-service-lifecycle"),
        .trait(name: "Configuration", description: "settings of relays that are read with swift-configuration"),
        .trait(
            name: "NATS", description: "relays over NATS in TidingsRelay; requires the C client of NATS (libnats)"
        ),
        .trait(name: "GRDB", description: "outboxes in SQLite, in TidingsOutbox, through GRDB"),
        .trait(name: "Libpq", description: "connections to PostgreSQL in TidingsOutbox; requires its C client (libpq)"),
        .trait(
            name: "InspectorServer", description: "a server in TidingsInspector, for programs without their own server"),
        .trait(name: "OpenCombine", description: "TidingsCombine with OpenCombine, on systems without Combine"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
    ],
    targets: [
        // The lock-free core of the native center. It has no product, and its declarations are `package`.
        .target(
            name: "TidingsEngine", dependencies: ["CTidingsSystem"],
            swiftSettings: settings + engineSizeSettings + systemSettings + referenceSettings + atomicSettings),
        // Features of C and of the operating system that no Swift module has on every system: atomic steps, thread-local variables, the end
        // of a thread, a fence in every thread of the process, and a wait for a word to change.
        .target(
            name: "CTidingsSystem",
            cSettings: [.treatAllWarnings(as: .error)] + (isPortable ? [.define("TIDINGS_PORTABLE")] : [])),
        .target(name: "Tidings", dependencies: ["TidingsEngine"], swiftSettings: settings),
        .target(name: "TidingsFoundation", dependencies: ["Tidings"], swiftSettings: settings),
        .target(
            name: "TidingsServer",
            dependencies: [
                "Tidings", .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ],
            swiftSettings: settings),
        .target(name: "TidingsSwiftUI", dependencies: ["Tidings"], swiftSettings: settings),
        .target(
            name: "TidingsCombine",
            dependencies: [
                "Tidings",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ],
            swiftSettings: settings),
        // The names, versions and encoding of notifications that leave the process.
        .target(name: "TidingsWire", dependencies: ["Tidings"], swiftSettings: settings),
        .systemLibrary(
            name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "TidingsOutbox",
            dependencies: [
                "TidingsWire", .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
                .target(name: "CLibpq", condition: .when(traits: ["Libpq"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
            ],
            swiftSettings: settings),
        .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"]), .brew(["cnats"])]),
        // Without the trait `NATS`, this module makes no connections, and doesn't need the C client.
        .target(
            name: "TidingsRelay",
            dependencies: [
                "Tidings", "TidingsWire",
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Logging"])),
                .product(name: "CoreMetrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle",
                    condition: .when(traits: ["ServiceLifecycle"])),
                .product(
                    name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])),
                .target(name: "CNATS", condition: .when(traits: ["NATS"])),
            ],
            swiftSettings: settings),
        .target(
            name: "TidingsInspector",
            dependencies: [
                "Tidings",
                .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["InspectorServer"])),
            ],
            exclude: ["Page/inspector.html"], swiftSettings: settings),
        .executableTarget(name: "tidings-top", dependencies: ["TidingsInspector"], swiftSettings: settings),
        .target(name: "TidingsTesting", dependencies: ["Tidings", "TidingsFoundation"], swiftSettings: settings),
        .target(name: "TidingsConformance", dependencies: ["Tidings"], swiftSettings: settings),
        // The example program of the README. It has no product.
        .executableTarget(
            name: "watch", dependencies: ["TidingsFoundation", "TidingsRelay", "TidingsInspector"],
            path: "Examples/Watch/Sources", swiftSettings: settings),
        .target(
            name: "TestSupport",
            dependencies: [
                "Tidings", "TidingsFoundation", "TidingsTesting", "TidingsConformance", "TidingsWire", "CTestWidth",
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        // Limits how many tests run at a time.
        .target(name: "CTestWidth", path: "Tests/CTestWidth", cSettings: [.treatAllWarnings(as: .error)]),
        // A module that chooses a namespace for its notifications.
        .target(
            name: "NamespacedModule", dependencies: ["Tidings"], path: "Tests/NamespacedModule", swiftSettings: settings
        ),
        // A module whose default isolation is the main actor, as Xcode gives it to new projects.
        .target(
            name: "IsolatedModule", dependencies: ["Tidings"], path: "Tests/IsolatedModule",
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        // A program that needs only Tidings and prints the libraries it has loaded.
        .executableTarget(
            name: "LinkageProbe", dependencies: ["Tidings"], path: "Tests/LinkageProbe", swiftSettings: settings),
        // A program that runs a run loop and prints what it has observed.
        .executableTarget(
            name: "RunLoopProbe", dependencies: ["TidingsFoundation"], path: "Tests/RunLoopProbe",
            swiftSettings: settings),
        // A program that makes Foundation post, and prints what it has observed.
        .executableTarget(
            name: "CatalogueProbe", dependencies: ["TidingsFoundation"], path: "Tests/CatalogueProbe",
            swiftSettings: settings),
    ]
)

// MARK: - Tests

/// The tests of the main CI job: observing, posting and testing, with the native and Foundation's center. A plain `swift test` runs these tests.
let coreTests: [Target] = [
    .testTarget(
        name: "TidingsTests",
        dependencies: [
            "Tidings", "TidingsTesting", "TidingsConformance", "TestSupport", "NamespacedModule", "IsolatedModule",
        ],
        swiftSettings: settings + allocatedAtomics),
    .testTarget(
        name: "TidingsFoundationTests",
        dependencies: ["TidingsFoundation", "TidingsTesting", "TestSupport", "RunLoopProbe", "CatalogueProbe"],
        swiftSettings: settings),
    .testTarget(
        name: "TidingsTestingTests",
        dependencies: ["TidingsTesting", "TidingsFoundation", "TidingsConformance", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "TidingsSwiftUITests", dependencies: ["TidingsSwiftUI", "TidingsTesting", "TestSupport"],
        swiftSettings: settings),
]

/// The other tests of the same modules: monitors, `userInfo`, and random programs, races and leaks.
let furtherTests: [Target] = [
    .testTarget(
        name: "ProofTests",
        dependencies: ["Tidings", "TidingsFoundation", "TidingsTesting", "TidingsConformance", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "TidingsMonitoringTests",
        dependencies: [
            "Tidings", "TidingsFoundation", "TidingsServer", "TidingsTesting", "TidingsConformance", "TestSupport",
        ],
        swiftSettings: settings),
    .testTarget(
        name: "TidingsUserInfoTests", dependencies: ["TidingsFoundation", "TidingsTesting", "TestSupport"],
        swiftSettings: settings),
]

/// The tests of the other modules that need no trait, and so no other package.
let otherTests: [Target] = [
    .testTarget(
        name: "TidingsRelayTests",
        dependencies: ["TidingsRelay", "TidingsOutbox", "TidingsTesting", "TestSupport"],
        swiftSettings: settings),
    .testTarget(
        name: "TidingsOutboxTests",
        dependencies: [
            "TidingsOutbox", "TidingsTesting", "TidingsConformance", "TidingsInspector", "TestSupport",
            .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
            .target(name: "CLibpq", condition: .when(traits: ["Libpq"])),
        ],
        swiftSettings: settings),
    .testTarget(
        name: "TidingsInspectorTests", dependencies: ["TidingsInspector", "TidingsTesting", "TestSupport"],
        exclude: ["example-snapshot.json"], swiftSettings: settings),
    .testTarget(
        name: "TidingsTopTests", dependencies: ["tidings-top", "TidingsInspector"], swiftSettings: settings),
    // The call sites of an app, in a module whose default isolation is the main actor.
    .testTarget(
        name: "IsolatedAppTests",
        dependencies: ["TidingsFoundation", "TidingsInspector", "TidingsRelay", "TidingsTesting", "TestSupport"],
        swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
    .testTarget(
        name: "watchTests", dependencies: ["watch", "TidingsTesting"], path: "Examples/Watch/Tests",
        swiftSettings: settings),
]

/// The tests that compile and start programs: code that must not compile, and code of clients.
let compilationTests: [Target] = [
    .testTarget(
        name: "CompilationTests",
        dependencies: [
            "Tidings", "TidingsFoundation", "TidingsRelay", "TidingsTesting", "TestSupport", "LinkageProbe",
        ],
        swiftSettings: settings)
]

/// The tests that need traits, and the programs that they start.
let traitTests: [Target] = [
    .testTarget(
        name: "AdapterTests",
        dependencies: [
            "TidingsServer", "TidingsCombine", "TidingsTesting", "TestSupport",
            .product(
                name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                condition: .when(traits: ["ServiceLifecycle"])),
            .product(
                name: "ServiceLifecycle", package: "swift-service-lifecycle",
                condition: .when(traits: ["ServiceLifecycle"])),
            .product(
                name: "UnixSignals", package: "swift-service-lifecycle",
                condition: .when(traits: ["ServiceLifecycle"])),
            .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            .product(name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Logging"])),
            .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            .product(
                name: "InMemoryTracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])
            ),
        ], swiftSettings: settings),
    // A program that relays, and that a test can kill.
    .executableTarget(
        name: "RelayProbe",
        dependencies: [
            "TidingsRelay", "TidingsOutbox",
            .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
        ], path: "Tests/RelayProbe",
        exclude: ["interoperation.py"],
        swiftSettings: settings),
    // A long test under load. It kills programs that relay, and servers of their cluster, and then checks the result.
    .executableTarget(
        name: "RelaySoak", dependencies: ["TidingsRelay"], path: "Tests/RelaySoak", swiftSettings: settings),
    .testTarget(
        name: "TidingsNATSTests",
        dependencies: [
            "TidingsRelay", "TidingsOutbox", "TidingsServer", "TidingsInspector", "TidingsTesting", "TestSupport",
            "RelayProbe", "RelaySoak", "watch",
            .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
            .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            .product(
                name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle",
                condition: .when(traits: ["ServiceLifecycle"])),
            .product(
                name: "ServiceLifecycle", package: "swift-service-lifecycle",
                condition: .when(traits: ["ServiceLifecycle"])),
            .product(
                name: "UnixSignals", package: "swift-service-lifecycle",
                condition: .when(traits: ["ServiceLifecycle"])),
            .product(name: "InMemoryLogging", package: "swift-log", condition: .when(traits: ["Logging"])),
            .product(name: "Tracing", package: "swift-distributed-tracing", condition: .when(traits: ["Tracing"])),
            .product(
                name: "Configuration", package: "swift-configuration", condition: .when(traits: ["Configuration"])),
        ],
        swiftSettings: settings),
    // A program with a durable observer, which a test kills.
    .executableTarget(
        name: "OutboxProbe",
        dependencies: [
            "TidingsOutbox",
            .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"])),
        ], path: "Tests/OutboxProbe", exclude: ["trials.py"], swiftSettings: settings),
    // A program that blocks its cooperative pool, and serves its inspector.
    .executableTarget(
        name: "InspectorProbe", dependencies: ["TidingsInspector"], path: "Tests/InspectorProbe",
        swiftSettings: settings),
    .testTarget(
        name: "InspectorServerTests",
        dependencies: [
            "TidingsInspector", "TidingsTesting", "TestSupport", "watch", "InspectorProbe",
            .product(name: "FlyingSocks", package: "FlyingFox", condition: .when(traits: ["InspectorServer"])),
        ], swiftSettings: settings),
]

// `TIDINGS_TESTS` selects the tests: `core` (the default), `rest` for all other tests that need no trait, `further` for the part of `rest` that tests
// the same modules as `core`, and `traits` for the tests of the other modules, including tests that need traits. Names of test targets select these
// targets. Several values are separated by commas.
let selected = Set((Context.environment["TIDINGS_TESTS"] ?? "core").split(separator: ",").map(String.init))
let groups = [
    "core": coreTests, "further": furtherTests, "rest": furtherTests + otherTests + compilationTests,
    "traits": otherTests + traitTests,
]
for target in coreTests + furtherTests + otherTests + compilationTests + traitTests {
    let isInGroup = selected.contains { groups[$0]?.contains { $0.name == target.name } == true }
    if isInGroup || selected.contains(target.name) { package.targets.append(target) }
}
// Tests that need traits start these programs.
let programs = traitTests.filter { $0.type != .test }
let hasTraitTests = package.targets.contains { target in
    target.type == .test && traitTests.contains { $0.name == target.name }
}
if hasTraitTests {
    package.targets += programs.filter { program in !package.targets.contains { $0.name == program.name } }
}
if package.targets.contains(where: { $0.name == "OutboxProbe" }) {
    package.targets.first { $0.name == "TidingsOutboxTests" }?.dependencies.append("OutboxProbe")
}

// Only builds of the documentation fetch its plugin.
if Context.environment["BUILD_DOCS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"))
}
