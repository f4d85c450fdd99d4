// swift-tools-version: 6.3

import PackageDescription

// A fuzzer for code that receives input from outside the program. It uses libFuzzer, which is guided by coverage. The
// toolchain contains libFuzzer's runtime, and `-sanitize=fuzzer` links it:
//
//     swift build -c release -Xswiftc -sanitize=fuzzer
//     .build/release/fuzz userInfo -max_total_time=60 Corpus/userInfo

/// The package name that gives the modules of the parent package access to each other. SwiftPM derives it from the name
/// of the folder.
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
                // The program uses `package` declarations, because it fuzzes the reader of a relay's messages, which
                // isn't public.
                .unsafeFlags(["-package-name", packageName]),
            ]),
        .target(name: "CLibFuzzer"),
    ]
)
