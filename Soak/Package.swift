// swift-tools-version: 6.3

import PackageDescription

// A program that exercises centers, buses and monitors on many threads for a given time, and reports each violation of
// their documented behavior.
let package = Package(
    name: "soak",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..")],
    targets: [
        .executableTarget(
            name: "soak", dependencies: [.product(name: "Tidings", package: "tidings")], path: "Sources/Soak",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .strictMemorySafety(), .treatAllWarnings(as: .error),
            ])
    ]
)
