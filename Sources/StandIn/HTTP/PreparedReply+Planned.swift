internal import NIOCore
internal import NIOHTTP1
internal import ScenarioModel
internal import ScenarioPlan

extension PreparedReply {
  /// Why a planned reply cannot be made ready.
  struct PreparationError: Error {
    let message: String
  }

  /// Fills in what only the run knows.
  init(_ planned: PlannedReply, in scope: some RunScope) throws(PreparationError) {
    self.init(status: planned.status)
    for header in planned.headers {
      let value = try Self.resolve(header.value, in: scope)
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw PreparationError(
          message: "the value of the header \"\(header.name)\" holds a control character")
      }
      headers.add(name: header.name, value: value)
    }
    let type: String?
    (content, type) = try Self.content(planned.body, in: scope)
    if let type, !headers.contains(name: "content-type") {
      headers.add(name: "content-type", value: type)
    }
    reason = planned.reason
    if let fault = planned.fault { try apply(fault) }
  }

  private static func content(
    _ planned: PlannedReply.Body, in scope: some RunScope
  ) throws(PreparationError) -> (ReplyContent, type: String?) {
    switch planned {
    case .empty:
      return (.empty, nil)
    case .json(let data):
      do {
        let text = try data.resolve(in: scope).jsonText()
        return (.body(.bytes(ByteBuffer(string: text))), MediaType.json)
      } catch {
        throw PreparationError(message: error.message)
      }
    case .text(let text):
      let resolved = try resolve(text, in: scope)
      return (.body(.bytes(ByteBuffer(string: resolved))), MediaType.text)
    case .bytes(let bytes):
      return (.body(.bytes(ByteBuffer(bytes: bytes))), MediaType.bytes)
    case .file(let path):
      do {
        return (.body(.file(try FileBody(path: path))), MediaType.ofFile(path: path))
      } catch {
        throw PreparationError(message: error.message)
      }
    }
  }

  private static func resolve(
    _ text: PlannedText, in scope: some RunScope
  ) throws(PreparationError) -> String {
    do {
      return try text.resolve(in: scope)
    } catch {
      throw PreparationError(message: error.message)
    }
  }
}
