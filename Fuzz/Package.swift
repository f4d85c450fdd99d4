// swift-tools-version: 6.3

import PackageDescription

// Feeds what comes from outside with input that libFuzzer makes, guided by what the code does with it. Its runtime comes with the
// toolchain and is linked by `-sanitize=fuzzer`:
//
//     swift build -c release -Xswiftc -sanitize=fuzzer
//     .build/release/fuzz userInfo -max_total_time=60 Corpus/userInfo
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
            ],
            path: "Sources/Fuzz",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ]),
        // The entry of libFuzzer's runtime.
        .target(name: "CLibFuzzer"),
    ]
)
