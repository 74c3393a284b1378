internal import Glibc

/// The listening TCP sockets of this machine, from /proc/net/tcp and tcp6 (proc(5)).
enum ListeningEnds {
  /// Returns whether a process listens at an address.
  static func contains(_ end: LoopbackEnd) -> Bool {
    // `sl local_address rem_address st …`: the address as a number of the machine's byte order, the port as it is; 0A is LISTEN.
    let address = hexadecimal(end.address.bigEndian) + ":" + hexadecimal(UInt32(end.port)).suffix(4)
    return ["/proc/net/tcp", "/proc/net/tcp6"].contains { path in
      lines(of: path).contains { line in
        let words = line.split(separator: " ", maxSplits: 4)
        return words.count > 3 && words[3] == "0A" && words[1].hasSuffix(address)
      }
    }
  }

  private static func hexadecimal(_ number: UInt32) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func lines(of path: String) -> [Substring] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&part, 1, part.count, file), count > 0 {
      bytes += part.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
