// swift-tools-version: 6.3
// A small app three times: as it was, half-way to typed notifications, and done. One test suite runs against all three.
import PackageDescription

let package = Package(
    name: "migrated-reader",
    platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        // What the app consists of beside its notifications, and what its tests ask of it.
        .target(name: "Program"),
        // As most apps are when they begin: in Swift 5 mode.
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
