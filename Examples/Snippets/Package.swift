// swift-tools-version: 6.3

import Foundation
import PackageDescription

// The programs that the documentation shows. Each file in the folder Sources is a program.
let sources = try FileManager.default
    .contentsOfDirectory(atPath: Context.packageDirectory + "/Sources")
    .filter { $0.hasSuffix(".swift") }.sorted()
let products = [
    "Tidings", "TidingsFoundation", "TidingsTesting", "TidingsConformance", "TidingsCombine", "TidingsSwiftUI",
    "TidingsOutbox",
]

let package = Package(
    name: "snippets",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "../..")],
    targets: sources.map { source in
        .executableTarget(
            name: String(source.dropLast(".swift".count)),
            dependencies: products.map { .product(name: $0, package: "tidings") },
            path: "Sources", sources: [source], swiftSettings: [.treatAllWarnings(as: .error)])
    }
)
