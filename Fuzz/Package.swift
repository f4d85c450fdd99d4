// swift-tools-version: 6.3

import PackageDescription

// Feeds what comes from outside with input that libFuzzer makes, guided by what the code does with it. Its runtime comes with the
// toolchain and is linked by `-sanitize=fuzzer`:
//
//     swift build -c release -Xswiftc -sanitize=fuzzer
//     .build/release/fuzz userInfo -max_total_time=60 Corpus/userInfo

/// The name by which the modules of the package above see each other. SwiftPM makes it of the name of the folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? "tidings"
let packageName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "tidings", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", .product(name: "TidingsFoundation", package: "tidings"),
                .product(name: "TidingsInspector", package: "tidings"),
                .product(name: "TidingsRelay", package: "tidings"),
            ],
            path: "Sources/Fuzz",
            packageAccess: false,
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
                // The program sees what the modules of the package see of each other: it feeds the reader of a relay's messages,
                // which no user of the relay calls.
                .unsafeFlags(["-package-name", packageName]),
            ]),
        // The entry of libFuzzer's runtime.
        .target(name: "CLibFuzzer"),
    ]
)
