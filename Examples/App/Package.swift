// swift-tools-version: 6.3

import PackageDescription

// A small app with a view model, an actor service and a bus, and its tests with TidingsTesting. No test sleeps.
let package = Package(
    name: "app",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .target(
            name: "App",
            dependencies: [.product(name: "Tidings", package: "tidings")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "AppTests",
            dependencies: ["App", .product(name: "TidingsTesting", package: "tidings")],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
