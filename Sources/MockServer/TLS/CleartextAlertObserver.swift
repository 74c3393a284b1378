internal import NIOCore

/// Records an alert that a client sends in the clear, below the TLS library.
///
/// OpenSSL's client refuses a TLS 1.3 certificate before it has a key to write with, so its alert
/// is readable, where BoringSSL expects an encrypted record and reports nothing but that.
final class CleartextAlertObserver: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Kinds of records and their sizes (RFC 8446, section 5.1).
  private enum Record {
    static let headerLength = 5
    static let alert: UInt8 = 21
    static let applicationData: UInt8 = 23
    static let plainAlertLength = 2
  }

  private let connection: ClientConnection
  private var header: [UInt8] = []
  private var alert: [UInt8] = []
  private var remaining = 0
  private var isDone = false

  init(connection: ClientConnection) {
    self.connection = connection
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isDone { watch(unwrapInboundIn(data).readableBytesView) }
    context.fireChannelRead(data)
  }

  private func watch(_ bytes: ByteBufferView) {
    var rest = bytes[...]
    while !isDone, !rest.isEmpty {
      if remaining > 0 {
        let part = rest.prefix(remaining)
        if header.first == Record.alert { alert += part }
        remaining -= part.count
        rest = rest.dropFirst(part.count)
        if remaining == 0 { endRecord() }
      } else {
        header.append(rest.removeFirst())
        if header.count == Record.headerLength { beginRecord() }
      }
    }
  }

  private func beginRecord() {
    remaining = Int(header[3]) << 8 | Int(header[4])
    // From here on everything is encrypted, and the library understands it.
    if header[0] == Record.applicationData { isDone = true }
    if header[0] == Record.alert, remaining != Record.plainAlertLength { isDone = true }
    if remaining == 0 { endRecord() }
  }

  private func endRecord() {
    header = []
    guard alert.count == Record.plainAlertLength else { return }
    connection.plainAlert = alert[1]
    isDone = true
  }
}
