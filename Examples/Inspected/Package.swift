// swift-tools-version: 6.3

import PackageDescription

// A shop to inspect: orders, a warehouse that keeps up, an accounts office that doesn't, and an audit log behind a bus.
let package = Package(
    name: "inspected",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..", traits: ["InspectorServer"])],
    targets: [
        .executableTarget(
            name: "Shop",
            dependencies: [
                .product(name: "Tidings", package: "tidings"), .product(name: "TidingsInspector", package: "tidings"),
                .product(name: "TidingsFoundation", package: "tidings"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
