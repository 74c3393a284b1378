// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "scenario",
  products: [
    .executable(name: "scenario", targets: ["scenario"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
    .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
  ],
  targets: [
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CCodings", providers: [.apt(["libbrotli-dev", "libzstd-dev", "zlib1g-dev"])]),
    .plugin(name: "EmbedExplanations", capability: .buildTool()),
    .target(
      name: "ScenarioModel",
      dependencies: [
        "CYAML", .product(name: "OrderedCollections", package: "swift-collections"),
        .product(name: "Crypto", package: "swift-crypto"),
      ], exclude: ["Diagnostics/Explanations"], plugins: ["EmbedExplanations"]),
    .target(
      name: "GraphQL",
      dependencies: [
        "ScenarioModel", .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(
      name: "ScenarioPlan",
      dependencies: [
        "GraphQL", "ScenarioModel",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .target(name: "ScenarioEvents", dependencies: ["ScenarioModel"]),
    .plugin(name: "EmbedReportPage", capability: .buildTool()),
    .target(
      name: "ScenarioReport",
      dependencies: [
        "ScenarioEvents", "ScenarioModel",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ], exclude: ["HTML/Page"], plugins: ["EmbedReportPage"]),
    .target(name: "CSupervisor", cSettings: [.define("_GNU_SOURCE")]),
    .plugin(name: "EmbedVirtualClockImage", capability: .buildTool()),
    .target(
      name: "VirtualClockImage", exclude: ["Image"], plugins: ["EmbedVirtualClockImage"]),
    .target(name: "Terminal", dependencies: ["ScenarioModel"]),
    .target(
      name: "Supervisor",
      dependencies: [
        "CSupervisor", "VirtualClockImage", "Terminal", "ScenarioPlan", "ScenarioModel",
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .target(
      name: "StandIn",
      dependencies: [
        "CCodings", "GraphQL", "ScenarioPlan", "ScenarioModel",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOTLS", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOHPACK", package: "swift-nio-http2"),
        .product(name: "NIOHTTP2", package: "swift-nio-http2"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "X509", package: "swift-certificates"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      // The archives, so that the executable runs where the libraries are not installed.
      linkerSettings: [
        .linkedLibrary(":libbrotlienc.a"), .linkedLibrary(":libbrotlidec.a"),
        .linkedLibrary(":libbrotlicommon.a"), .linkedLibrary(":libzstd.a"),
        .linkedLibrary(":libz.a"), .linkedLibrary("m"),
      ]),
    .target(
      name: "ScenarioRunner",
      dependencies: [
        "Supervisor", "StandIn", "Terminal", "ScenarioPlan", "ScenarioModel", "ScenarioEvents",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    .executableTarget(
      name: "scenario",
      dependencies: [
        "ScenarioRunner", "ScenarioReport", "ScenarioPlan", "ScenarioModel", "ScenarioEvents",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    .testTarget(name: "ScenarioModelTests", dependencies: ["ScenarioModel"]),
    .testTarget(name: "GraphQLTests", dependencies: ["GraphQL", "ScenarioModel"]),
    .testTarget(name: "ScenarioPlanTests", dependencies: ["ScenarioPlan", "ScenarioModel"]),
    .testTarget(
      name: "ScenarioReportTests",
      dependencies: ["ScenarioReport", "ScenarioEvents", "ScenarioModel"]),
    .testTarget(
      name: "TerminalTests", dependencies: ["Terminal", "ScenarioPlan", "ScenarioModel"]),
    .testTarget(
      name: "SupervisorTests",
      dependencies: ["Supervisor", "CSupervisor", "ScenarioPlan", "ScenarioModel"]),
    .testTarget(
      name: "StandInTests",
      dependencies: [
        "StandIn", "ScenarioPlan", "ScenarioModel",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ]),
    .testTarget(
      name: "ScenarioRunnerTests",
      dependencies: [
        "ScenarioRunner", "StandIn", "Supervisor", "ScenarioEvents", "ScenarioModel",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "scenario", "ScenarioModel",
        .product(name: "OrderedCollections", package: "swift-collections"),
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
