/// A session of GDB's remote serial protocol: a debugger's requests and their answers ("Debugging
/// with GDB", appendix E).
///
/// All threads stop together. Breakpoints are the debugger's own: it writes them into memory.
package struct DebugSession {
  private let target: any DebugTarget
  /// The thread that is asked about.
  private var selected: Int32
  /// The thread that runs alone for a single step.
  private var stepper: Int32?
  private var lastStop: DebugStop
  /// True if the process runs, and the debugger waits for its stop.
  package private(set) var isRunning = false
  /// True if packets are no longer acknowledged.
  package private(set) var omitsAcknowledgements = false
  /// True if the debugger has detached from the process.
  package private(set) var isOver = false

  /// Starts a session with a process that is stopped.
  package init(_ target: any DebugTarget) {
    self.target = target
    selected = target.threads.first ?? target.process
    // What a debugger attaches to has got SIGTRAP, for its eyes.
    lastStop = .signal(5, thread: selected)
  }

  /// Answers a packet; `nil` where the answer comes when the process stops again, or never.
  package mutating func answer(_ packet: [UInt8]) -> [UInt8]? {
    let text = String(decoding: packet, as: UTF8.self)
    switch packet.first.map({ Character(Unicode.Scalar($0)) }) {
    case "?": return reply(to: lastStop)
    case "g":
      return target.registers(of: selected).map { RemotePacket.hexadecimal($0) } ?? Self.error
    case "G": return setRegisters(packet.dropFirst())
    case "m": return read(text)
    case "M", "X": return write(packet)
    case "H": return select(text)
    case "T": return number(text.dropFirst()).map(isThere) ?? false ? Self.done : Self.error
    case "c": return resume(stepping: nil)
    case "s": return resume(stepping: stepper ?? selected)
    case "v": return answerLong(text)
    case "q", "Q": return answerQuestion(text)
    case "D":
      target.detach()
      isOver = true
      return Self.done
    case "k":
      // The environment is the case's: its processes end with it.
      target.detach()
      isOver = true
      return nil
    default: return []
    }
  }

  /// Stops the process at the debugger's request.
  package func interrupt() {
    if isRunning { target.interrupt() }
  }

  /// Returns the packet that reports the process's stop; `nil` while it runs.
  package mutating func report() -> [UInt8]? {
    guard isRunning, let stop = target.stopReason() else { return nil }
    isRunning = false
    lastStop = stop
    if case .signal(_, let thread) = stop { selected = thread }
    return reply(to: stop)
  }

  // MARK: - Registers and memory

  private func setRegisters(_ digits: some Collection<UInt8>) -> [UInt8] {
    guard let bytes = RemotePacket.bytes(hexadecimal: digits),
      target.setRegisters(bytes, of: selected)
    else { return Self.error }
    return Self.done
  }

  private func read(_ text: String) -> [UInt8] {
    let parts = text.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let address = UInt64(parts[0], radix: 16),
      let count = Int(parts[1], radix: 16), count >= 0
    else { return Self.error }
    let bytes = target.read(min(count, RemotePacketReader.limit / 2 - 8), at: address)
    return bytes.isEmpty && count > 0 ? Self.error : RemotePacket.hexadecimal(bytes)
  }

  /// `M ADDRESS,LENGTH:DIGITS`, or `X` with the bytes themselves.
  private func write(_ packet: [UInt8]) -> [UInt8] {
    guard let colon = packet.firstIndex(of: UInt8(ascii: ":")) else { return Self.error }
    let head = String(decoding: packet[1..<colon], as: UTF8.self).split(separator: ",")
    let content = packet[(colon + 1)...]
    let isBinary = packet.first == UInt8(ascii: "X")
    guard head.count == 2, let address = UInt64(head[0], radix: 16),
      let count = Int(head[1], radix: 16),
      let bytes = isBinary ? Array(content) : RemotePacket.bytes(hexadecimal: content),
      bytes.count == count, count == 0 || target.write(bytes, at: address)
    else { return Self.error }
    return Self.done
  }

  // MARK: - Threads

  private mutating func select(_ text: String) -> [UInt8] {
    guard let kind = text.dropFirst().first, let thread = number(text.dropFirst(2)) else {
      return Self.error
    }
    // Any, and all.
    guard thread > 0 else {
      if kind == "c" { stepper = nil }
      return Self.done
    }
    guard isThere(thread) else { return Self.error }
    if kind == "c" { stepper = thread } else { selected = thread }
    return Self.done
  }

  private func isThere(_ thread: Int32) -> Bool { target.threads.contains(thread) }

  /// A thread's number, in hexadecimal digits.
  private func number(_ text: some StringProtocol) -> Int32? {
    text == "-1" ? -1 : Int32(text, radix: 16)
  }

  // MARK: - Going on

  private mutating func resume(stepping thread: Int32?) -> [UInt8]? {
    isRunning = true
    target.resume(stepping: thread)
    return nil
  }

  private mutating func answerLong(_ text: String) -> [UInt8]? {
    if text == "vCont?" { return Array("vCont;c;C;s;S".utf8) }
    guard text.hasPrefix("vCont;") else { return [] }
    // The first action that fits a thread is the thread's; one that steps makes the others wait.
    for action in text.split(separator: ";").dropFirst() {
      let parts = action.split(separator: ":", maxSplits: 1)
      guard action.first == "s" || action.first == "S" else { continue }
      let thread = parts.count > 1 ? number(parts[1]) : nil
      return resume(stepping: thread.flatMap { $0 > 0 ? $0 : nil } ?? selected)
    }
    return resume(stepping: nil)
  }

  private func reply(to stop: DebugStop) -> [UInt8] {
    func two(_ number: Int32) -> String {
      let digits = String(UInt8(truncatingIfNeeded: number), radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }
    return switch stop {
    case .signal(let number, let thread):
      Array("T\(two(number))thread:\(String(thread, radix: 16));".utf8)
    case .exited(let code): Array("W\(two(code))".utf8)
    case .killed(let number): Array("X\(two(number))".utf8)
    }
  }

  // MARK: - Questions

  private mutating func answerQuestion(_ text: String) -> [UInt8] {
    if text.hasPrefix("qSupported") {
      return Array(
        "PacketSize=\(String(RemotePacketReader.limit, radix: 16));QStartNoAckMode+;qXfer:auxv:read+;qXfer:exec-file:read+"
          .utf8)
    }
    if text == "QStartNoAckMode" {
      omitsAcknowledgements = true
      return Self.done
    }
    if text == "qC" { return Array("QC\(String(selected, radix: 16))".utf8) }
    if text.hasPrefix("qAttached") { return Array("1".utf8) }
    if text == "qfThreadInfo" {
      return Array(
        ("m" + target.threads.map { String($0, radix: 16) }.joined(separator: ",")).utf8)
    }
    if text == "qsThreadInfo" { return Array("l".utf8) }
    if text.hasPrefix("qXfer:auxv:read::") {
      return part(text, of: target.auxiliaryVector)
    }
    if text.hasPrefix("qXfer:exec-file:read:") {
      return part(text, of: Array(target.program.utf8))
    }
    return []
  }

  /// `…:OFFSET,LENGTH` of something: `m` with what is not its end, `l` with its end.
  private func part(_ text: String, of whole: [UInt8]) -> [UInt8] {
    let numbers = text.split(separator: ":").last?.split(separator: ",") ?? []
    guard numbers.count == 2, let offset = Int(numbers[0], radix: 16),
      let length = Int(numbers[1], radix: 16), offset >= 0, length >= 0
    else { return Self.error }
    let piece = whole.dropFirst(offset).prefix(min(length, RemotePacketReader.limit / 2))
    let isEnd = offset + piece.count >= whole.count
    return [isEnd ? UInt8(ascii: "l") : UInt8(ascii: "m")] + piece
  }

  private static let done = Array("OK".utf8)
  private static let error = Array("E01".utf8)
}
