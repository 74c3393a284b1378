import Glibc
import Testing

@testable import Supervisor

/// A target whose one process is that of the tests: interceptors find its memory, descriptors and entries of /proc
/// there.
final class FakeTarget {
  let kernel: FakeKernel
  /// Its first thread.
  let tracee: Tracee
  private var allocations: [UnsafeMutableRawPointer] = []

  var process: TargetProcess { tracee.process }

  init(_ kernel: FakeKernel = FakeKernel(), program: String = "sh") {
    self.kernel = kernel
    let own = ThreadIdentifier(getpid())
    let process = TargetProcess(own, arguments: [program], memories: OpenMemories())
    process.threads = [own]
    tracee = Tracee(own, of: process)
    kernel.processes[own] = process
    kernel.tracees[own] = tracee
    kernel.sharesDescriptors = true
  }

  deinit {
    for allocation in allocations { allocation.deallocate() }
  }

  /// Another thread, of its own process or of one that the first thread has made; the kernel has no such number.
  func thread(_ number: Int32, isProcess: Bool = false) -> Tracee {
    let identifier = ThreadIdentifier(number)
    guard isProcess else {
      let thread = Tracee(identifier, of: process)
      kernel.tracees[identifier] = thread
      return thread
    }
    let child = TargetProcess(identifier, arguments: ["child"], memories: OpenMemories())
    child.threads = [identifier]
    child.parent = process.identifier
    let thread = Tracee(identifier, of: child)
    kernel.processes[identifier] = child
    kernel.tracees[identifier] = thread
    return thread
  }

  /// A call at its entry; by its first thread unless another one is named.
  func call(_ number: Int, _ arguments: UInt64..., by thread: Tracee? = nil) -> InterceptedCall {
    var registers = Registers(systemCall: number, arguments: arguments)
    registers.instructionPointer = 0x40_1000
    return InterceptedCall(tracee: thread ?? tracee, registers: registers)
  }

  // MARK: - Memory

  /// Memory of the target that begins with these bytes, and zeros behind them.
  func place(_ bytes: [UInt8], room: Int = 0) -> UInt64 {
    let count = max(bytes.count + room, 1)
    let allocation = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
    allocation.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    allocation.copyMemory(from: bytes, byteCount: bytes.count)
    allocations.append(allocation)
    return UInt64(UInt(bitPattern: allocation))
  }

  /// A text that ends with a zero byte.
  func place(_ text: String) -> UInt64 { place(Array(text.utf8), room: 1) }

  /// A value of a trivial type.
  func place<Trivial: BitwiseCopyable>(_ value: Trivial) -> UInt64 {
    withUnsafeBytes(of: value) { place(Array($0)) }
  }

  /// An address of IPv4 (ip(7)).
  func place(address: [UInt8], port: UInt16) -> UInt64 {
    place([2, 0, UInt8(port >> 8), UInt8(port & 255)] + address, room: 8)
  }

  /// The value at a place.
  func read<Trivial: BitwiseCopyable>(_ type: Trivial.Type, at place: UInt64) -> Trivial {
    guard let pointer = UnsafeRawPointer(bitPattern: UInt(place)) else {
      preconditionFailure("nothing was placed at 0")
    }
    return pointer.loadUnaligned(as: type)
  }

  /// The bytes at a place.
  func bytes(_ count: Int, at place: UInt64) -> [UInt8] {
    (0..<count).map { read(UInt8.self, at: place + UInt64($0)) }
  }

  /// Gives it the memory that the supervisor maps into programs.
  func mapImage(replacementPaths: [String] = []) throws {
    let template = try #require(
      InjectedImage.Template(replacementPaths: replacementPaths))
    let image = InjectedImage(
      front: place([], room: template.frontLength), data: place([], room: template.dataLength),
      template: template)
    let memory = try #require(process.memory)
    try #require(image.fill(memory, from: template, kernelClock: 0))
    process.program.image = image
  }
}

extension CallDisposition {
  /// What a call returns that is not made; `nil` if it is made.
  var skipped: Int? { if case .skip(let result) = self { result } else { nil } }

  /// The registers with which a call is made that is changed; `nil` for others.
  var made: Registers? { if case .make(let registers, _) = self { registers } else { nil } }

  var isPass: Bool { if case .pass = self { true } else { false } }
  var isProceed: Bool { if case .proceed = self { true } else { false } }
  var isTaken: Bool { if case .taken = self { true } else { false } }
  var isWatch: Bool { if case .watch = self { true } else { false } }
  var isObserve: Bool { if case .observe = self { true } else { false } }

  /// What the caller has once the call has returned with a result; its own arguments are in its registers again.
  @discardableResult
  func exit(of call: InterceptedCall, _ result: Int) -> Registers {
    var registers = call.registers
    registers.result = result
    switch self {
    case .watch(let exit): exit(registers)
    case .make(_, let exit), .observe(let exit): exit(&registers)
    default: break
    }
    return registers
  }
}

extension Interceptor {
  /// Whether the filter shows it a call with such arguments, and it looks at it.
  func sees(_ number: Int, _ arguments: UInt64...) -> Bool {
    guard let rule = filterRules[number], calls?.contains(number) ?? true else { return false }
    let machine = FilterMachine(program: FilterProgram(rules: [number: rule]).instructions)
    return machine.run(number, arguments) == .trace
  }
}
