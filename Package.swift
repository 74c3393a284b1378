// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "scenario",
  products: [
    .executable(name: "scenario", targets: ["scenario"])
  ],
  dependencies: [
    // Exact, so that a commit builds the same program next year.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    // Cryptography imports the module CNIOBoringSSL, which no product offers: even a patch may rename what
    // is in it. Documentation/decisions/16-one-boringssl.md.
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
  ],
  targets: [
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CCodings", providers: [.apt(["libbrotli-dev", "libzstd-dev", "zlib1g-dev"])]),
    .systemLibrary(name: "CAres", providers: [.apt(["libc-ares-dev"])]),
    .plugin(name: "EmbedExplanations", capability: .buildTool()),
    .target(
      name: "Foundations",
      dependencies: [
        "CYAML", .product(name: "OrderedCollections", package: "swift-collections"),
      ], exclude: ["Diagnostics/Explanations"], plugins: ["EmbedExplanations"]),
    .target(
      name: "Cryptography",
      dependencies: ["Foundations", .product(name: "NIOSSL", package: "swift-nio-ssl")]),
    .target(
      name: "ScenarioModel",
      dependencies: [
        "Foundations", .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioSyntax",
      dependencies: [
        "Foundations", "ScenarioModel",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "GraphQL",
      dependencies: [
        "Foundations", "Cryptography",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ProtocolBuffers",
      dependencies: [
        "Foundations", .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "Patterns",
      dependencies: [
        "Foundations",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioPlan",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioModel", "Patterns",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "FaultEngine",
      dependencies: [
        "Foundations", "ScenarioModel", "Patterns", "ScenarioPlan",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "MockEngine",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioModel", "GraphQL", "ProtocolBuffers", "Patterns",
        "ScenarioPlan", .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioCompiler",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioModel", "ScenarioSyntax", "GraphQL",
        "ProtocolBuffers", "Patterns", "ScenarioPlan", "FaultEngine", "MockEngine",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "LanguageServer",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax", "ScenarioPlan", "ScenarioCompiler",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioTools",
      dependencies: [
        "Foundations", "ScenarioModel", "GraphQL", "Patterns",
        "ScenarioPlan", "FaultEngine", "MockEngine",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(name: "ScenarioEvents", dependencies: ["Foundations"]),
    .plugin(name: "EmbedReportPage", capability: .buildTool()),
    .target(
      name: "ScenarioReport",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioEvents",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ], exclude: ["HTML/Page"], plugins: ["EmbedReportPage"]),
    .target(name: "CSupervisor", cSettings: [.define("_GNU_SOURCE")]),
    .plugin(name: "EmbedVirtualClockImage", capability: .buildTool()),
    .target(
      name: "VirtualClockImage", exclude: ["Image"], plugins: ["EmbedVirtualClockImage"]),
    .target(name: "Terminal", dependencies: ["Foundations"]),
    .target(
      name: "Supervisor",
      dependencies: [
        "CCodings", "CSupervisor", "VirtualClockImage", "Foundations", "ScenarioModel", "Patterns",
        "ScenarioPlan", "FaultEngine", "Terminal",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .target(
      name: "MockServer",
      dependencies: [
        "CAres", "CCodings", "Foundations", "Cryptography", "ScenarioModel", "GraphQL",
        "ProtocolBuffers", "Patterns", "ScenarioPlan", "FaultEngine", "MockEngine",
        // What SwiftNIO links; named here because its version is.
        .product(name: "Atomics", package: "swift-atomics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      // The archives, so that the executable runs where the libraries are not installed.
      linkerSettings: [
        .linkedLibrary(":libbrotlienc.a"), .linkedLibrary(":libbrotlidec.a"),
        .linkedLibrary(":libbrotlicommon.a"), .linkedLibrary(":libzstd.a"),
        .linkedLibrary(":libz.a"), .linkedLibrary(":libcares.a"), .linkedLibrary("m"),
      ]),
    .target(
      name: "ScenarioRunner",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioModel", "ScenarioSyntax", "Patterns",
        "ScenarioPlan", "FaultEngine", "MockEngine", "ScenarioCompiler", "ScenarioTools",
        "Supervisor", "MockServer", "Terminal", "ScenarioEvents",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .executableTarget(
      name: "scenario",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioModel", "ScenarioSyntax", "Patterns",
        "ScenarioPlan", "FaultEngine", "MockEngine", "ScenarioCompiler", "LanguageServer",
        "ScenarioTools", "ScenarioRunner", "ScenarioReport", "ScenarioEvents",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "FoundationsTests", dependencies: ["Foundations"]),
    .testTarget(name: "CryptographyTests", dependencies: ["Foundations", "Cryptography"]),
    .testTarget(name: "PatternsTests", dependencies: ["Foundations", "Patterns"]),
    .testTarget(
      name: "ScenarioModelTests",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "GraphQLTests",
      dependencies: [
        "Foundations", "GraphQL",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "ProtocolBuffersTests",
      dependencies: [
        "Foundations", "ProtocolBuffers",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ], exclude: ["Files"]),
    .testTarget(
      name: "ScenarioPlanTests",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax", "GraphQL", "ProtocolBuffers", "Patterns",
        "ScenarioPlan", "FaultEngine", "MockEngine", "ScenarioCompiler", "ScenarioTools",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "LanguageServerTests",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax", "ScenarioPlan", "ScenarioCompiler",
        "LanguageServer",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "ScenarioToolsTests",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax", "Patterns", "ScenarioPlan", "FaultEngine",
        "ScenarioTools",
      ]),
    .testTarget(
      name: "ScenarioReportTests",
      dependencies: [
        "Foundations", "ScenarioSyntax", "ScenarioEvents", "ScenarioReport",
      ]),
    .testTarget(name: "TerminalTests", dependencies: ["Foundations", "Terminal"]),
    .testTarget(
      name: "SupervisorTests",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax", "Patterns", "ScenarioPlan", "FaultEngine",
        "ScenarioCompiler", "CSupervisor", "Supervisor",
      ]),
    .testTarget(
      name: "MockServerTests",
      dependencies: [
        "Foundations", "Cryptography", "ScenarioModel", "Patterns", "ScenarioPlan", "FaultEngine",
        "MockEngine", "MockServer",
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .testTarget(
      name: "ScenarioRunnerTests",
      dependencies: [
        "Foundations", "ScenarioModel", "ScenarioSyntax", "ScenarioPlan", "MockEngine",
        "ScenarioCompiler", "ScenarioTools", "Supervisor", "MockServer", "Terminal",
        "ScenarioRunner",
        "ScenarioEvents",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "scenario", "Foundations", "ScenarioModel", "ScenarioSyntax",
        .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], exclude: ["Failing"]),
  ]
)

for target in package.targets where target.type != .system && target.type != .plugin {
  if target.name.hasPrefix("C") {
    target.cSettings =
      (target.cSettings ?? []) + [
        .enableWarning("all"), .enableWarning("extra"), .treatAllWarnings(as: .error),
      ]
  } else {
    target.swiftSettings = [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .treatAllWarnings(as: .error),
    ]
  }
}
