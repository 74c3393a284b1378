import Glibc

/// Clients as PyPI delivers them, which `Tests/install-dependencies.sh` puts below `.build`.
enum RealClients {
  /// The interpreter of the environment that has them.
  static let python: String = {
    let support = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/\(support)/.build/python/bin/python"
  }()

  static var hasPython: Bool { Command.exists(python) }

  /// Runs a script; `arguments` are its `sys.argv[1:]`.
  static func run(_ script: String, _ arguments: [String] = []) throws -> Command.Result {
    let file = try TemporaryFile(script, ending: ".py")
    return try Command(path: python).run([file.path] + arguments)
  }
}
