/// A type of DNS records that has a word of its own.
package enum NameRecordType: String, Sendable, CaseIterable {
  case address = "A"
  case longAddress = "AAAA"
  case cellDatabase = "AFSDB"
  case authorization = "CAA"
  case childKey = "CDNSKEY"
  case childSigner = "CDS"
  case certificate = "CERT"
  case alias = "CNAME"
  case subtreeAlias = "DNAME"
  case key = "DNSKEY"
  case signer = "DS"
  case hostInformation = "HINFO"
  case https = "HTTPS"
  case keyExchanger = "KX"
  case mailExchange = "MX"
  case namingAuthority = "NAPTR"
  case nameServer = "NS"
  case openPGPKey = "OPENPGPKEY"
  case pointer = "PTR"
  case responsiblePerson = "RP"
  case mailCertificate = "SMIMEA"
  case authority = "SOA"
  case senderPolicy = "SPF"
  case service = "SRV"
  case shellFingerprint = "SSHFP"
  case serviceBinding = "SVCB"
  case tlsAssociation = "TLSA"
  case text = "TXT"
  case resourceIdentifier = "URI"

  /// A part of a record's data, as master files write it (RFC 1035, section 5.1).
  package enum Part: Sendable {
    /// An IPv4 address.
    case address
    /// An IPv6 address.
    case longAddress
    /// A domain name.
    case name
    /// A number of 8, 16 or 32 bits.
    case number(bytes: Int)
    /// Seconds, in 32 bits.
    case seconds
    /// A text of up to 255 bytes, with its length.
    case text
    /// All texts up to the end, of 255 bytes each.
    case texts
    /// Letters and digits, with their length.
    case tag
    /// A text up to the end, without its length.
    case rest
    /// Bytes in hexadecimal digits, up to the end.
    case digits
    /// Bytes in Base64, up to the end.
    case base64
    /// The parameters of a service (RFC 9460, section 2.1).
    case parameters
  }

  /// The number on the wire (RFC 1035, section 3.2.2, and later ones).
  package var number: UInt16 {
    switch self {
    case .address: 1
    case .nameServer: 2
    case .alias: 5
    case .authority: 6
    case .pointer: 12
    case .hostInformation: 13
    case .mailExchange: 15
    case .text: 16
    case .responsiblePerson: 17
    case .cellDatabase: 18
    case .longAddress: 28
    case .service: 33
    case .namingAuthority: 35
    case .keyExchanger: 36
    case .certificate: 37
    case .subtreeAlias: 39
    case .signer: 43
    case .shellFingerprint: 44
    case .key: 48
    case .tlsAssociation: 52
    case .mailCertificate: 53
    case .childSigner: 59
    case .childKey: 60
    case .openPGPKey: 61
    case .serviceBinding: 64
    case .https: 65
    case .senderPolicy: 99
    case .resourceIdentifier: 256
    case .authorization: 257
    }
  }

  /// The parts of the data, and what each is called.
  package var parts: [(word: String, part: Part)] {
    switch self {
    case .address: [("ADDRESS", .address)]
    case .longAddress: [("ADDRESS", .longAddress)]
    case .cellDatabase: [("SUBTYPE", .number(bytes: 2)), ("HOST", .name)]
    case .authorization: [("FLAGS", .number(bytes: 1)), ("TAG", .tag), ("VALUE", .rest)]
    case .key, .childKey:
      [
        ("FLAGS", .number(bytes: 2)), ("PROTOCOL", .number(bytes: 1)),
        ("ALGORITHM", .number(bytes: 1)), ("KEY", .base64),
      ]
    case .signer, .childSigner:
      [
        ("KEYTAG", .number(bytes: 2)), ("ALGORITHM", .number(bytes: 1)),
        ("DIGESTTYPE", .number(bytes: 1)), ("DIGEST", .digits),
      ]
    case .certificate:
      [
        ("TYPE", .number(bytes: 2)), ("KEYTAG", .number(bytes: 2)),
        ("ALGORITHM", .number(bytes: 1)), ("CERTIFICATE", .base64),
      ]
    case .alias, .subtreeAlias, .nameServer, .pointer: [("HOST", .name)]
    case .hostInformation: [("CPU", .text), ("OS", .text)]
    case .https, .serviceBinding:
      [("PRIORITY", .number(bytes: 2)), ("HOST", .name), ("PARAMETERS", .parameters)]
    case .keyExchanger, .mailExchange: [("PREFERENCE", .number(bytes: 2)), ("HOST", .name)]
    case .namingAuthority:
      [
        ("ORDER", .number(bytes: 2)), ("PREFERENCE", .number(bytes: 2)), ("FLAGS", .text),
        ("SERVICES", .text), ("REGEXP", .text), ("REPLACEMENT", .name),
      ]
    case .openPGPKey: [("KEY", .base64)]
    case .responsiblePerson: [("MAILBOX", .name), ("NAME", .name)]
    case .authority:
      [
        ("SERVER", .name), ("MAILBOX", .name), ("SERIAL", .number(bytes: 4)),
        ("REFRESH", .seconds), ("RETRY", .seconds), ("EXPIRE", .seconds), ("MINIMUM", .seconds),
      ]
    case .senderPolicy, .text: [("TEXT", .texts)]
    case .service:
      [
        ("PRIORITY", .number(bytes: 2)), ("WEIGHT", .number(bytes: 2)),
        ("PORT", .number(bytes: 2)), ("HOST", .name),
      ]
    case .shellFingerprint:
      [
        ("ALGORITHM", .number(bytes: 1)), ("TYPE", .number(bytes: 1)), ("FINGERPRINT", .digits),
      ]
    case .tlsAssociation, .mailCertificate:
      [
        ("USAGE", .number(bytes: 1)), ("SELECTOR", .number(bytes: 1)),
        ("MATCHING", .number(bytes: 1)), ("DATA", .digits),
      ]
    case .resourceIdentifier:
      [("PRIORITY", .number(bytes: 2)), ("WEIGHT", .number(bytes: 2)), ("TARGET", .rest)]
    }
  }

  /// The words of the parts, one behind the other: `PREFERENCE HOST`.
  package var form: String { parts.map(\.word).joined(separator: " ") }

  /// Data as an author may write it.
  package var example: String {
    switch self {
    case .address: "10.1.2.3"
    case .longAddress: "2001:db8::1"
    case .cellDatabase: "1 afs.example.com"
    case .authorization: "0 issue letsencrypt.org"
    case .key, .childKey:
      "257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxIL"
    case .signer, .childSigner:
      "60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a"
    case .certificate: "1 0 0 MIIB"
    case .alias: "www.example.net"
    case .subtreeAlias: "example.net"
    case .hostInformation: "x86_64 Linux"
    case .https, .serviceBinding: "1 . alpn=h2,http/1.1 port=8443"
    case .keyExchanger: "10 kx.example.com"
    case .mailExchange: "10 mail.example.com"
    case .namingAuthority: "100 10 S SIP+D2U \"\" _sip._udp.example.com"
    case .nameServer: "ns1.example.com"
    case .openPGPKey: "mQENBA=="
    case .pointer: "host.example.com"
    case .responsiblePerson: "admin.example.com ."
    case .authority: "ns1.example.com admin.example.com 1 1h 10m 1d 1m"
    case .senderPolicy, .text: "v=spf1 -all"
    case .service: "10 60 5060 sip.example.com"
    case .shellFingerprint: "4 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a"
    case .tlsAssociation, .mailCertificate:
      "3 1 1 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a"
    case .resourceIdentifier: "10 1 https://example.com/"
    }
  }
}
