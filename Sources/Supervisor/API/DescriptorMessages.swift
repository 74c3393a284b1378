internal import CSupervisor
internal import Glibc

/// Messages between a runner with a paused environment and its visitors: texts, with descriptors
/// beside them (unix(7): SCM_RIGHTS).
package enum DescriptorMessages {
  /// The longest message, in bytes.
  package static let limit = 65_536

  /// Sends a text's bytes, and descriptors, which stay the caller's; returns 0 or an errno.
  package static func send(_ bytes: [UInt8], _ descriptors: [Int32] = [], to socket: Int32) -> Int32
  {
    bytes.withUnsafeBytes { buffer in
      scenario_send_message(
        socket, buffer.baseAddress, buffer.count, descriptors, descriptors.count)
    }
  }

  /// Receives a message with its descriptors, which are the caller's to close; `nil` at the end, or if there is none.
  package static func receive(from socket: Int32) -> (bytes: [UInt8], descriptors: [Int32])? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var descriptors = [Int32](repeating: -1, count: SCENARIO_MESSAGE_DESCRIPTORS)
    let count = bytes.withUnsafeMutableBytes { buffer in
      scenario_receive_message(socket, buffer.baseAddress, buffer.count, &descriptors)
    }
    guard count > 0 else { return nil }
    return (Array(bytes[..<count]), descriptors.filter { $0 >= 0 })
  }
}
