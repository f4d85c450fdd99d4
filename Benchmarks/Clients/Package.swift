// swift-tools-version: 6.3

import PackageDescription

// A client as programs are: of two modules and several files, built with no settings of the library's own.
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
