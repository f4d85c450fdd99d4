// swift-tools-version: 6.3

import PackageDescription

// The inspector in a program's existing server, with one file for Hummingbird and one for FlyingFox.
let package = Package(
    name: "mounted-inspector",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "tidings", path: "../..", traits: ["ServiceLifecycle"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", .upToNextMinor(from: "0.27.1")),
    ],
    targets: [
        .target(
            name: "MountedInspector",
            dependencies: [
                .product(name: "TidingsInspector", package: "tidings"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
        .testTarget(
            name: "MountedInspectorTests",
            dependencies: [
                "MountedInspector",
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Tidings", package: "tidings"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
