internal import Glibc
internal import ScenarioEvents
internal import ScenarioPlan
internal import Supervisor

/// The files by which a target resolves host names, as a scenario that answers for the network wants them.
///
/// The machine's own files would leak into the scenario: a search list with `ndots:5` makes other names of
/// those that are asked for, and an entry of /etc/hosts, or a service that nsswitch.conf names, answers in
/// place of the mock server.
struct NameFiles: Sendable {
  private let folder: String

  /// Writes the files.
  ///
  /// - Parameters:
  ///   - hosts: machines of the world, which have addresses from the beginning.
  ///   - names: what the scenario says of resolvers; `nil` for the usual.
  init(
    folder: String, hosts: [PlannedHost] = [], names: PlannedNames? = nil
  ) throws(Failure) {
    self.folder = folder
    let machine = NameFiles.hosts(system: Self.text("/etc/hosts"), machine: RealTime.hostname())
    let lines = hosts.map { "\($0.address) \($0.names.joined(separator: " "))\n" }
    try write(machine + lines.joined(), "hosts")
    try write(Self.resolver(search: names?.search ?? [], dots: names?.dots), "resolv.conf")
    try write(Self.services(system: Self.text("/etc/nsswitch.conf")), "nsswitch.conf")
  }

  /// The files that are opened in place of the machine's own.
  var fileReplacements: [FileReplacement] {
    ["hosts", "resolv.conf", "nsswitch.conf"].map { name in
      FileReplacement(paths: ["/etc/\(name)"], replacement: "\(folder)/\(name)")
    }
  }

  private static func text(_ path: String) -> String {
    (try? FileTree.read(path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func write(_ text: String, _ name: String) throws(Failure) {
    try FileTree.write(Array(text.utf8), to: "\(folder)/\(name)", mode: 0o644)
  }

  // MARK: - Contents

  /// resolv.conf(5): the address is only a name for the mock server, and the root is the one domain that is
  /// searched, also where the machine's own name has a domain, unless the scenario has others.
  static func resolver(search: [String], dots: Int?) -> String {
    let domains = search.isEmpty ? "." : search.joined(separator: " ")
    let option = dots.map { " ndots:\($0)" } ?? ""
    return "nameserver 127.0.0.53\nsearch \(domains)\noptions edns0 timeout:5 attempts:2\(option)\n"
  }

  /// hosts(5): what is on this machine stays, and the machine's own name leads to it; all other names are
  /// the mock server's to answer.
  static func hosts(system: String, machine: String) -> String {
    var lines: [String] = []
    var names: Set<Substring> = []
    for line in system.split(separator: "\n") {
      let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard let address = words.first, Self.isLocal(address) else { continue }
      lines.append(words.joined(separator: " "))
      names.formUnion(words.dropFirst())
    }
    if !names.contains("localhost") { lines.insert("127.0.0.1 localhost", at: 0) }
    if !machine.isEmpty, !names.contains(machine[...]) { lines.append("127.0.0.1 \(machine)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func isLocal(_ address: Substring) -> Bool {
    address.hasPrefix("127.") || address == "::1"
      // The names of IPv6's own groups, as Debian writes them.
      || address == "fe00::0" || address == "ff00::0" || address.hasPrefix("ff02::")
  }

  /// nsswitch.conf(5): host names by files and DNS, everything else as the machine has it.
  static func services(system: String) -> String {
    let others = system.split(separator: "\n").filter { line in
      line.drop { $0 == " " || $0 == "\t" }.prefix { $0 != ":" && $0 != " " } != "hosts"
    }
    return (others + ["hosts: files dns"]).joined(separator: "\n") + "\n"
  }
}
