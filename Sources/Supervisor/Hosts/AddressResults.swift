/// The calls that tell the addresses of sockets: shows the target the addresses that it meant in their results.
struct AddressResults {
  /// The rules by which a filter shows the calls.
  static let filterRules: [Int: FilterRule] = [
    SystemCallNumber.accept: .traceIfPointer(argument: 1),
    SystemCallNumber.accept4: .traceIfPointer(argument: 1),
    SystemCallNumber.getsockname: .trace,
    SystemCallNumber.getpeername: .trace,
    SystemCallNumber.recvfrom: .traceIfPointer(argument: 4),
    SystemCallNumber.recvmsg: .trace,
    SystemCallNumber.recvmmsg: .trace,
  ]

  private unowned let kernel: any TraceKernel
  private let peer: (InternetAddress, _ own: InternetAddress?) -> InternetAddress?
  private let own: (SocketCopy, Tracee) -> InternetAddress?

  /// - Parameters:
  ///   - peer: translates the address of the other end of a socket that has an own address; `nil` leaves it.
  ///   - own: translates the address of a socket of a thread; `nil` leaves it.
  init(
    kernel: any TraceKernel,
    peer: @escaping (InternetAddress, _ own: InternetAddress?) -> InternetAddress?,
    own: @escaping (SocketCopy, Tracee) -> InternetAddress?
  ) {
    self.kernel = kernel
    self.peer = peer
    self.own = own
  }

  /// Returns how one of the calls goes on; `nil` for another call.
  func disposition(of call: InterceptedCall) -> CallDisposition? {
    switch call.number {
    case SystemCallNumber.accept, SystemCallNumber.accept4:
      watch(call, length: 2) { [self] exit, memory, room in
        show(Int32(truncatingIfNeeded: exit.result), call.tracee) { socket in
          peers(of: socket).restore(at: call.registers[argument: 1], length: room, memory)
        }
      }
    case SystemCallNumber.getpeername:
      watch(call, length: 2) { [self] _, memory, room in
        show(call.integer(0), call.tracee) { socket in
          peers(of: socket).restore(at: call.registers[argument: 1], length: room, memory)
        }
      }
    case SystemCallNumber.getsockname:
      watch(call, length: 2) { [self] _, memory, room in
        show(call.integer(0), call.tracee) { socket in
          let seen = own(socket, call.tracee)
          ReturnedAddresses { _ in seen }.restore(
            at: call.registers[argument: 1], length: room, memory)
        }
      }
    case SystemCallNumber.recvfrom:
      watch(call, length: 5) { [self] _, memory, room in
        // Of a connection the kernel tells no address.
        let length = memory.read(Int32.self, at: call.registers[argument: 5]) ?? 0
        show(call.integer(0), call.tracee) { socket in
          peers(of: socket).restore(
            at: call.registers[argument: 4], length: min(room, length), memory)
        }
      }
    case SystemCallNumber.recvmsg, SystemCallNumber.recvmmsg:
      .watch { [self] exit in
        guard let exit, exit.result >= 0, let memory = call.tracee.process.memory else { return }
        show(call.integer(0), call.tracee) { peers(of: $0).restoreNames(at: exit, memory) }
      }
    default: nil
    }
  }

  /// Watches a call that succeeds and has room for an address.
  ///
  /// - Parameter length: the number of the argument that says where the room's size is.
  private func watch(
    _ call: InterceptedCall, length: Int,
    exit show: @escaping (Registers, TargetMemory, _ room: Int32) -> Void
  ) -> CallDisposition {
    guard let memory = call.tracee.process.memory,
      let room = memory.read(Int32.self, at: call.registers[argument: length])
    else { return .pass }
    return .watch { exit in
      if let exit, exit.result >= 0 { show(exit, memory, room) }
    }
  }

  private func show(_ descriptor: Int32, _ tracee: Tracee, _ body: (SocketCopy) -> Void) {
    let socket = SocketCopy(kernel.copyDescriptor(descriptor, of: tracee))
    defer { socket.end() }
    if socket.isOfHosts { body(socket) }
  }

  private func peers(of socket: SocketCopy) -> ReturnedAddresses {
    let own = socket.local
    return ReturnedAddresses { peer($0, own) }
  }
}

extension LateFilter {
  /// Shows the calls that tell the addresses of sockets.
  static let addressResults = LateFilter(
    "addresses", FilterProgram(rules: AddressResults.filterRules))
}
