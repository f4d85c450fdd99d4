// swift-tools-version: 6.3

import PackageDescription

// A client of Tidings that contains a call of each kind. It compiles in Swift 6 mode without a warning.
let package = Package(
    name: "call-sites",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .executableTarget(
            name: "CallSites",
            dependencies: [
                .product(name: "Tidings", package: "tidings"),
                .product(name: "TidingsFoundation", package: "tidings"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)])
    ]
)
