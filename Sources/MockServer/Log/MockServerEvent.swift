package import Foundations
package import MockEngine
package import ScenarioModel

/// The manner in which a client ends a TLS handshake.
package enum HandshakeEnd: Sendable, Hashable {
  /// By an alert that refuses the certificate.
  case alert
  /// By closing the connection, and living on: it does not want the certificate, or the connection.
  case closed
  /// Its process was about to end, or may have been killed, when the connection closed.
  case left
}

/// An event at the mock server.
package enum MockServerEvent: Sendable, Hashable {
  /// A request was complete, and its answer chosen.
  case request(RecordedRequest)
  /// No entry with replies left answers the request; comes behind its `request`.
  ///
  /// `nearMisses` are lines for the author: what came closest, and what differs.
  case unmatched(RecordedRequest, nearMisses: [String])
  /// The chosen reply could not be made; the client got status 500. Comes behind its `request`.
  case brokenReply(RecordedRequest, message: String)
  /// A program outside of the case is to answer a request, whose `request` comes once it has.
  case handlerAsked(RecordedRequest, command: [String])
  /// A target that was to answer gave no answer, or not all of one; the client got status 502 or 504, or as much. Comes
  /// behind its `request`.
  case handlerFailed(RecordedRequest, message: String, unanswered: NetworkSettings.Unused)
  /// The client went away while the answer was held back; `waited` is virtual time.
  case clientClosed(RecordedRequest, waited: Nanoseconds)
  /// A client ended the TLS handshake: by an alert, as it does not trust the certificate, or by closing the connection.
  case rejectedCertificate(
    host: String, message: String, origin: ClientOrigin?, manner: HandshakeEnd)
  /// A message went over a WebSocket.
  case message(RecordedMessage)
  /// A client did not follow the script of its connection; `range` is the step that it should have followed, where that
  /// is not part of the message.
  case brokenSession(RecordedRequest, message: String, at: SourceRange? = nil)
  /// A request, or the reply to it, is not as the document of OpenAPI says that describes its API; `range` is the place in
  /// the document.
  case undescribed(
    RecordedRequest, document: String, problems: [String], isReply: Bool, at: SourceRange?)
  /// The received bytes are no request that can be answered.
  case malformedRequest(host: String, message: String)
  /// A client has no certificate where each entry for the host has conditions on one, and was refused.
  case missingCertificate(host: String, program: String?)
  /// A real host gave no answer to the request, or not all of one; the client got as much.
  case upstreamFailed(RecordedRequest, message: String, help: String)
  /// A request and all of its answer; comes when both are known.
  case exchanged(RecordedRequest, RecordedReply)
  /// A real host that is left alone could not be reached.
  case relayFailed(host: String, message: String, help: String)
  /// A client has connected; `hasSpoken` once its first byte is there.
  case connected(host: String, hasSpoken: Bool)
  /// A process that is not of the scenario has connected and sent bytes, and was refused.
  case stranger(host: String, Stranger)
  /// A name was looked up that nothing in the scenario knows; `program` has asked, if that is known.
  case unknownName(String, program: String?)
  /// This process has no descriptor or memory left for a client, as an errno says; reported once.
  case exhausted(host: String, errorNumber: Int32)
  /// A real host that is to be recorded has sent bytes before any request.
  case hostSpokeFirst(host: String)
  /// A chaos entry has injected a fault into a connection, or a lookup.
  case linkFault(FiredLinkFault)
  /// A connection between hosts has another state.
  case hostConnection(HostConnectionChange)
  /// A webhook was sent, or could not be.
  case webhook(WebhookAttempt)
  /// A piece of a body went out that is made piece by piece.
  case piece(RecordedMessage)
}
