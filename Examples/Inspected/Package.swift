// swift-tools-version: 6.3

import PackageDescription

// A shop to inspect: orders, a warehouse that keeps up, an accounts office that doesn't, and an audit log behind a bus.
let package = Package(
    name: "inspected",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tidings", path: "../..", traits: ["InspectorServer", "Logging", "Metrics"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "Tidings", package: "tidings"), .product(name: "TidingsInspector", package: "tidings"),
                .product(name: "TidingsFoundation", package: "tidings"),
                .product(name: "TidingsOutbox", package: "tidings"),
                .product(name: "TidingsServer", package: "tidings"), .product(name: "Logging", package: "swift-log"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
