// swift-tools-version: 6.3

import PackageDescription

// A client package that resembles real programs: it has two modules and several files, and doesn't use the build
// settings of Tidings.
let package = Package(
    name: "clients", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: [
        .target(name: "Wrappers", dependencies: [.product(name: "Tidings", package: "tidings")]),
        .executableTarget(
            name: "clients", dependencies: ["Wrappers", .product(name: "Tidings", package: "tidings")],
            path: "Sources/Clients"),
    ]
)
