internal import CSupervisor
internal import Glibc

/// The sockets that a confined target may have: those of this machine, and TCP and UDP, whose
/// addresses the supervisor sees.
///
/// Others send packets past it: AF_PACKET and raw sockets write them whole, SCTP connects by an option,
/// AF_VSOCK and the like go to other machines by ways of their own.
enum SocketCreation {
  /// AF_UNIX, AF_NETLINK, AF_ALG (the kernel's ciphers).
  private static let local: [UInt32] = [UInt32(AF_UNIX), UInt32(AF_NETLINK), 38]
  /// The default, TCP, and MPTCP, which begins as TCP does.
  private static let streamProtocols: [UInt32] = [0, UInt32(IPPROTO_TCP), 262]
  /// The default, UDP, UDP-Lite, and ICMP echoes (icmp(7)), whose addresses are seen, too.
  private static let datagramProtocols: [UInt32] = [
    0, UInt32(IPPROTO_UDP), 136, UInt32(IPPROTO_ICMP), 58,
  ]
  /// The bits of the type: SOCK_NONBLOCK and SOCK_CLOEXEC are above them.
  private static let typeMask: UInt32 = 0xf

  /// Returns the errno with which socket(2) fails, by its arguments; `nil` if the call is to be
  /// made.
  static func refusal(domain: UInt32, type: UInt32, protocolNumber: UInt32) -> Int32? {
    if local.contains(domain) { return nil }
    guard domain == UInt32(AF_INET) || domain == UInt32(AF_INET6) else {
      // As for those who are not root (packet(7)), and as on a machine without the family.
      return domain == UInt32(AF_PACKET) ? EPERM : EAFNOSUPPORT
    }
    switch type & typeMask {
    case SOCK_RAW.rawValue: return EPERM
    case SOCK_STREAM.rawValue:
      return streamProtocols.contains(protocolNumber) ? nil : EPROTONOSUPPORT
    case SOCK_DGRAM.rawValue:
      return datagramProtocols.contains(protocolNumber) ? nil : EPROTONOSUPPORT
    default: return EPROTONOSUPPORT
    }
  }

  /// The same as instructions of a filter, which shows the calls that EPERM answers.
  ///
  /// They are reported: others ask for a family that the machine need not have, and do without.
  static var block: [sock_filter] {
    var assembly = FilterAssembly()
    assembly.load(FilterProgram.Offset.low(0))
    assembly.branch(among: local, to: .allow)
    assembly.branch(among: [UInt32(AF_INET), UInt32(AF_INET6)], to: .place("internet"))
    assembly.branch(among: [UInt32(AF_PACKET)], to: .show)
    assembly.jump(to: .fail(EAFNOSUPPORT))
    assembly.mark("internet")
    assembly.load(FilterProgram.Offset.low(1))
    assembly.and(typeMask)
    assembly.branch(among: [SOCK_RAW.rawValue], to: .show)
    assembly.branch(among: [SOCK_STREAM.rawValue], to: .place("stream"))
    assembly.branch(among: [SOCK_DGRAM.rawValue], to: .place("datagram"))
    assembly.jump(to: .fail(EPROTONOSUPPORT))
    assembly.mark("stream")
    assembly.load(FilterProgram.Offset.low(2))
    assembly.branch(among: streamProtocols, to: .allow)
    assembly.jump(to: .fail(EPROTONOSUPPORT))
    assembly.mark("datagram")
    assembly.load(FilterProgram.Offset.low(2))
    assembly.branch(among: datagramProtocols, to: .allow)
    assembly.jump(to: .fail(EPROTONOSUPPORT))
    return assembly.instructions()
  }
}

extension PathOptions {
  /// Instructions that answer setsockopt(2) where an option decides which way packets go, and go on behind
  /// them otherwise.
  static var block: [sock_filter] {
    let levels = [SOL_SOCKET, Int32(IPPROTO_IP), Int32(IPPROTO_IPV6)]
    var assembly = FilterAssembly()
    assembly.load(FilterProgram.Offset.low(1))
    for level in levels {
      assembly.branch(among: [UInt32(bitPattern: level)], to: .place("\(level)"))
    }
    assembly.jump(to: .end)
    for level in levels {
      assembly.mark("\(level)")
      assembly.load(FilterProgram.Offset.low(2))
      for answer in answers where answer.level == level {
        assembly.branch(among: [answer.option], to: .fail(answer.error))
      }
      assembly.jump(to: .end)
    }
    return assembly.instructions()
  }
}

/// Puts a short filter together whose jumps lead to places by name.
private struct FilterAssembly {
  enum Goal: Hashable {
    case allow
    case show
    case fail(Int32)
    case place(String)
    case end
  }

  private var code: [(instruction: sock_filter, goal: Goal?)] = []
  private var places: [String: Int] = [:]

  mutating func load(_ offset: UInt32) { add(FilterProgram.Opcode.loadWord, offset) }

  mutating func and(_ mask: UInt32) { add(FilterProgram.Opcode.and, mask) }

  /// Goes to the goal if the accumulator has one of the values.
  mutating func branch(among values: [UInt32], to goal: Goal) {
    for value in values { add(FilterProgram.Opcode.jumpIfEqual, value, goal) }
  }

  mutating func jump(to goal: Goal) { add(FilterProgram.Opcode.jump, 0, goal) }

  mutating func mark(_ name: String) { places[name] = code.count }

  private mutating func add(_ operation: UInt16, _ value: UInt32, _ goal: Goal? = nil) {
    code.append((sock_filter(code: operation, jt: 0, jf: 0, k: value), goal))
  }

  /// Returns the instructions, followed by the returns, over which `end` jumps.
  func instructions() -> [sock_filter] {
    var returns: [Goal] = []
    for case let goal? in code.map(\.goal) where goal.isReturn && !returns.contains(goal) {
      returns.append(goal)
    }
    let end = code.count + returns.count
    return code.enumerated().map { index, entry in
      guard let goal = entry.goal else { return entry.instruction }
      let target: Int
      switch goal {
      case .place(let name): target = places[name] ?? end
      case .end: target = end
      case .allow, .show, .fail: target = code.count + (returns.firstIndex(of: goal) ?? 0)
      }
      // Blocks are far shorter than 255 instructions.
      let distance = target - index - 1
      var instruction = entry.instruction
      if instruction.code == FilterProgram.Opcode.jump {
        instruction.k = UInt32(distance)
      } else {
        instruction.jt = UInt8(distance)
      }
      return instruction
    }
      + returns.map { goal in
        let result =
          switch goal {
          case .fail(let error): FilterProgram.Action.fail(Int(error))
          case .show: FilterProgram.Action.trace
          case .allow, .place, .end: FilterProgram.Action.allow
          }
        return sock_filter(
          code: FilterProgram.Opcode.returnConstant, jt: 0, jf: 0, k: result)
      }
  }
}

extension FilterAssembly.Goal {
  fileprivate var isReturn: Bool {
    switch self {
    case .allow, .show, .fail: true
    case .place, .end: false
    }
  }
}
