package import Foundations
internal import OrderedCollections
package import Patterns

/// The values that no recording and no report shows.
///
/// Names are compared without case, `-` and `_`, so that `access_token`, `accessToken` and
/// `Access-Token` are one.
package struct Redaction: Sendable {
  /// The text that replaces a secret.
  ///
  /// Reports say `***`. A recording is a scenario itself, in whose URLs and globs asterisks stand for
  /// anything, and what is replayed must be a token, a cookie or a header by its form.
  package static let placeholder = "REDACTED"

  /// Names that carry secrets wherever they occur: header, query, form or JSON.
  private static let usualNames = [
    "accesskey", "accesskeyid", "accesstoken", "apikey", "apisecret", "apitoken", "auth",
    "authorization", "authtoken", "bearer", "cardnumber", "clientassertion", "clientsecret",
    "cookie", "creditcard", "credentials", "csrftoken", "cvc", "cvv", "idtoken", "jwt", "otp",
    "passphrase", "passwd", "password", "privatekey", "proxyauthorization", "pwd",
    "refreshtoken", "secret", "secretaccesskey", "secretkey", "securitytoken", "sessionid",
    "sessiontoken", "setcookie", "sig", "signature", "ssn", "token", "xaccesstoken",
    "xamzcredential", "xamzsecuritytoken", "xamzsignature", "xapikey", "xauthtoken", "xcsrftoken",
    "xgoogcredential", "xgoogsignature", "xsrftoken", "xvaulttoken", "xxsrftoken",
  ]

  private let names: Set<String>
  /// Finds the values that are secret whatever their names are.
  let values: SecretRedactor

  /// Creates the usual redaction, with more names, and with values that are secret everywhere.
  package init(adding names: [String] = [], values: SecretRedactor = SecretRedactor()) {
    self.names = Set(Self.usualNames + names.map(Self.folded))
    self.values = values
  }

  /// Returns whether the value of a name is a secret.
  package func hides(_ name: String) -> Bool {
    names.contains(Self.folded(name))
  }

  private static func folded(_ name: String) -> String {
    name.lowercased().filter { $0 != "-" && $0 != "_" }
  }

  /// The value of a header as it may be shown.
  package func header(_ name: String, _ value: String) -> String {
    // A redirect carries tokens in the query or the fragment of its URL.
    guard hides(name) else { return text(value) }
    switch name.lowercased() {
    case "set-cookie":
      // Name and attributes tell how a program treats its session, and are no secret.
      let parts = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      let cookie = parts[0].split(separator: "=", maxSplits: 1)
      guard cookie.count == 2 else { return Self.placeholder }
      return "\(cookie[0])=\(Self.placeholder)" + (parts.count > 1 ? ";\(parts[1])" : "")
    case "authorization", "proxy-authorization":
      guard let space = value.firstIndex(of: " ") else { return Self.placeholder }
      return "\(value[..<space]) \(Self.placeholder)"
    default:
      return Self.placeholder
    }
  }

  /// A URL as it may be shown.
  package func target(_ target: RequestTarget) -> RequestTarget {
    var shown = target
    for index in shown.query.indices where hides(shown.query[index].name) {
      shown.query[index].value = Self.placeholder
    }
    return shown
  }

  /// A form as it may be shown.
  package func form(_ text: String) -> String {
    text.split(separator: "&", omittingEmptySubsequences: false).map { field in
      let name = field.prefix { $0 != "=" }
      let isSecret = hides(PercentEncoding.decoded(name, plusIsSpace: true))
      return isSecret ? "\(name)=\(Self.placeholder)" : String(field)
    }.joined(separator: "&")
  }

  /// Data as it may be shown: types stay what they are.
  package func value(_ value: Value) -> Value {
    redacted(value, isSecret: false)
  }

  private func redacted(_ value: Value, isSecret: Bool) -> Value {
    switch value {
    case .string(let string): return .string(isSecret ? Self.placeholder : text(string))
    case .integer(let number): return .integer(isSecret ? 0 : number)
    case .number(let number): return .number(isSecret ? 0.5 : number)
    case .list(let values): return .list(values.map { redacted($0, isSecret: isSecret) })
    case .map(let members):
      var map: OrderedDictionary<String, Value> = [:]
      for (key, value) in members {
        map[key] = redacted(value, isSecret: isSecret || hides(key))
      }
      return .map(map)
    case .null, .bool: return value
    }
  }
}
