// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "async-http-fetch",
  dependencies: [
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0")
  ],
  targets: [
    .executableTarget(
      name: "async-http-fetch",
      dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")],
      path: "Sources/Fetch",
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
