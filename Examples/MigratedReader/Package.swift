// swift-tools-version: 6.3
// A small app in three versions: before the migration, half-way to typed notifications, and finished. One test suite
// runs against all three.
import PackageDescription

let package = Package(
    name: "migrated-reader",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        // The parts of the app other than its notifications, and the interface that its tests use.
        .target(name: "Program"),
        // Swift 5 mode, which most apps use when they start to migrate.
        .target(name: "Classic", dependencies: ["Program"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "Halfway",
            dependencies: ["Program", .product(name: "TidingsFoundation", package: "tidings")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "Done",
            dependencies: ["Program", .product(name: "TidingsFoundation", package: "tidings")]),
        .testTarget(
            name: "ReaderTests",
            dependencies: ["Classic", "Halfway", "Done", .product(name: "TidingsTesting", package: "tidings")]),
    ]
)
