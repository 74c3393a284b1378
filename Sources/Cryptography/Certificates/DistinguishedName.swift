/// The name of an issuer or a subject (RFC 5280, section 4.1.2.4).
package struct DistinguishedName: Hashable, Sendable {
  /// A part of a name, as a UTF8String.
  package enum Attribute: Hashable, Sendable {
    /// Who has it.
    case organization(String)
    /// What it is called: 64 characters at most (appendix A).
    case commonName(String)

    fileprivate var value: DERValue {
      switch self {
      case .organization(let text):
        .sequence([.objectIdentifier(2, 5, 4, 10), .utf8String(text)])
      case .commonName(let text):
        .sequence([.objectIdentifier(2, 5, 4, 3), .utf8String(text)])
      }
    }
  }

  /// The parts, from the widest on.
  package let attributes: [Attribute]

  /// Creates a name from its parts.
  package init(_ attributes: Attribute...) {
    self.attributes = attributes
  }

  /// The name in DER.
  package var bytes: [UInt8] { value.bytes }

  var value: DERValue {
    .sequence(attributes.map { .set(of: $0.value) })
  }
}
