internal import Glibc

extension SocketCopy {
  /// Its own address as the kernel has it; `nil` if it is no internet socket.
  var local: InternetAddress? { name(getsockname) }

  /// The other end's; `nil` if it has none.
  var peer: InternetAddress? { name(getpeername) }

  /// True if it is one of IPv6.
  var isWide: Bool { option(SOL_SOCKET, SO_DOMAIN) == AF_INET6 }

  /// True if it sends by TCP or UDP.
  var isOfHosts: Bool {
    guard let domain = option(SOL_SOCKET, SO_DOMAIN), [AF_INET, AF_INET6].contains(domain),
      let number = option(SOL_SOCKET, SO_PROTOCOL)
    else { return false }
    // IPPROTO_MPTCP of linux/in.h: Go's listeners.
    return [Int32(IPPROTO_TCP), Int32(IPPROTO_UDP), 262].contains(number)
  }

  /// Gives it an address of this machine; 0, or the errno.
  ///
  /// - Parameter takesPortLater: whether the kernel chooses a free port only when the socket connects, as it can then
  ///   have one that others have to other ends (ip(7), IP_BIND_ADDRESS_NO_PORT).
  func bind(to address: InternetAddress, takesPortLater: Bool = false) -> Int32 {
    let isWide = isWide
    // ipv6(7): with it no address of IPv4 can be had.
    if isWide { set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, to: 0) }
    let noPort: Int32 = 24
    if takesPortLater { set(Int32(IPPROTO_IP), noPort, to: 1) }
    defer { if takesPortLater { set(Int32(IPPROTO_IP), noPort, to: 0) } }
    let bytes = address.socketBytes(isWide: isWide)
    let result = bytes.withUnsafeBytes { bytes -> Int32 in
      guard let place = bytes.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
      return Glibc.bind(descriptor, place, socklen_t(bytes.count))
    }
    return result == 0 ? 0 : errno
  }

  /// Whether a socket like this one could have an address of this machine now: 0, or the errno.
  ///
  /// - Parameter sharesAlike: whether it would share the address as this one does.
  func trial(of address: InternetAddress, sharesAlike: Bool) -> Int32 {
    let trial = SocketCopy(
      socket(AF_INET, (type ?? Int32(SOCK_STREAM.rawValue)) | Int32(SOCK_CLOEXEC.rawValue), 0))
    guard trial.descriptor >= 0 else { return errno }
    defer { trial.end() }
    let shares = sharesAlike ? [SO_REUSEADDR, SO_REUSEPORT] : []
    for name in shares { trial.set(SOL_SOCKET, name, to: option(SOL_SOCKET, name) ?? 0) }
    return trial.bind(to: address)
  }

  private func name(
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> InternetAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask(descriptor, $0, &length) }
    }
    guard descriptor >= 0, result == 0 else { return nil }
    let bytes = withUnsafeBytes(of: &storage) { Array($0.prefix(Int(length))) }
    guard case .internet(let address)? = SocketAddress(bytes: bytes, isDestination: false) else {
      return nil
    }
    return address
  }
}
