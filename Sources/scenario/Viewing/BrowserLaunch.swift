internal import Glibc

/// The user's browser, where there is one: what BROWSER names, or xdg-open where there is a display.
struct BrowserLaunch {
  /// The program and its arguments.
  let command: [String]

  /// The way to open an address; `nil` where nobody would see it.
  ///
  /// - Parameter variables: the environment.
  init?(_ address: String, variables: [String: String]) {
    let named = variables["BROWSER"]?.split(separator: ":").first.map(String.init) ?? ""
    if !named.trimmed.isEmpty {
      // Several are separated by colons; the address stands for %s, or behind the words.
      var words = named.split(separator: " ").map(String.init)
      let hasPlace = words.contains { $0.contains("%s") }
      words = words.map { $0.replacing("%s", with: address) }
      command = hasPlace ? words : words + [address]
      return
    }
    let displays = ["DISPLAY", "WAYLAND_DISPLAY"]
    guard displays.contains(where: { !(variables[$0] ?? "").isEmpty }) else { return nil }
    command = ["xdg-open", address]
  }

  /// Starts it, with nothing to read and nowhere to write; it lives on.
  ///
  /// - Returns: The errno if it cannot be started, otherwise 0.
  func start() -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // It is a process group of its own, which a signal from the terminal does not reach.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
    var process: pid_t = 0
    var arguments = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    return posix_spawnp(&process, command.first ?? "", &actions, &attributes, &arguments, environ)
  }
}

extension String {
  fileprivate var trimmed: Substring { drop { $0 == " " } }
}
