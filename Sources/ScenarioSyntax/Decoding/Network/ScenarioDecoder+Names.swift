internal import Foundations
internal import ScenarioModel

extension ScenarioDecoder {
  /// `network: { dns: … }`.
  mutating func decodeNameService(_ node: YAMLNode) -> NameServiceSettings? {
    var settings = NameServiceSettings()
    settings.range = node.range
    guard !node.isNull else { return settings }
    return decode(node, as: Grammar.names, subject: "\"dns\"", into: &settings) == nil
      ? nil : settings
  }

  /// `records:` of the network, and `dns:` of a step.
  mutating func decodeNameRecords(_ node: YAMLNode, _ subject: String) -> [NameRecords] {
    var places: [String: SourceRange] = [:]
    return (decodeMembers(node, subject) ?? []).compactMap { member in
      guard let name = checkRecordName(member.key) else { return nil }
      // RFC 6761, section 6.3.
      guard name.value != "localhost", !name.value.hasSuffix(".localhost") else {
        report(
          "records of \"\(name.value)\" have no effect: that name is this machine's own",
          code: .noEffect, at: name.range,
          help: "use another name, such as db.test: 127.0.0.1, which leads to this machine")
        return nil
      }
      if let place = places.updateValue(name.range, forKey: name.value) {
        report(
          "\"\(name.value)\" has records twice", code: .duplicateName, at: name.range,
          help: "write all of its records in one place",
          notes: [Diagnostic.Note("the other ones are here", at: place)])
      }
      let answers = decodeNameAnswers(member.value, of: name.value)
      return answers.isEmpty ? nil : NameRecords(name: name, answers: answers)
    }
  }

  // MARK: - Answers

  private mutating func decodeNameAnswers(_ node: YAMLNode, of name: String) -> [NameAnswer] {
    guard case .sequence = node.content else {
      let answer = decodeNameAnswer(node, of: name)
      if let times = answer?.times { reportEndless(times) }
      return answer.map { [$0] } ?? []
    }
    let nodes = decodeNonEmptyList(node, name) ?? []
    if nodes.contains(where: { if case .scalar = $0.content { true } else { false } }) {
      reportType(
        nodes[0], "an entry of \"\(name)\"", "must be a map",
        help: "write { A: [10.1.2.3, 10.1.2.4] } for several addresses, or "
          + "[{ A: 10.1.2.3, times: 1 }, { A: 10.1.2.4 }] for one answer behind the other")
      return []
    }
    let answers = nodes.compactMap { decodeNameAnswer($0, of: name) }
    if answers.count == nodes.count, let times = answers.last?.times { reportEndless(times) }
    return answers
  }

  private mutating func reportEndless(_ times: Located<Int>) {
    report(
      "\"times\" has no effect: the last answer serves all further lookups", code: .noEffect,
      at: times.range,
      help: "remove it, or add an answer behind it, as in [{ A: …, times: 2 }, { A: … }]")
  }

  private mutating func decodeNameAnswer(_ node: YAMLNode, of name: String) -> NameAnswer? {
    var answer = NameAnswer(range: node.range)
    if case .scalar = node.content {
      guard let text = decodeText(node, name, example: "write an address, or { A: 10.1.2.3 }")
      else { return nil }
      // Of the two kinds only IPv6's has several colons; the planner reads the address itself.
      let isLong = text.value.utf8.count { $0 == UInt8(ascii: ":") } > 1
      let type = isLong ? NameRecordType.longAddress : .address
      answer.sets = [
        NameAnswer.RecordSet(
          number: type.number, type: type, range: text.range, data: [.text(text)])
      ]
      return answer
    }
    var numbered: [String: String] = [:]
    if case .mapping(let members) = node.content {
      for key in members.map(\.key.value) where key.hasPrefix("TYPE") {
        numbered[key] = "write other: { \(key): … } for a type by its number"
      }
    }
    guard
      let reader = decode(
        node, as: Grammar.nameAnswer, subject: "the records of \"\(name)\"", elsewhere: numbered,
        into: &answer)
    else { return nil }
    for member in reader.members {
      if let type = NameRecordType(rawValue: member.key.value) {
        let data = decodeRecordTexts(member.value, member.key.value)
        answer.sets.append(
          NameAnswer.RecordSet(
            number: type.number, type: type, range: member.key.range, data: data))
      } else if member.key.value == "other" {
        answer.sets += decodeOtherRecords(member.value)
      }
    }
    if reader.members.allSatisfy({ ["times", "ttl"].contains($0.key.value) }),
      reader.unknownCount == 0
    {
      report(
        "\"\(name)\" has no records", code: .empty, at: node.range,
        help: "add some, as in { A: 10.1.2.3 }, or { A: [] } for a name without an address")
    }
    return answer
  }

  private mutating func decodeRecordTexts(_ node: YAMLNode, _ key: String) -> [NameAnswer.Data] {
    guard case .sequence = node.content else {
      let example = NameRecordType(rawValue: key)?.example ?? "0a000001"
      return decodeText(node, key, example: "write \(example)").map { [.text($0)] } ?? []
    }
    return decodeTextList(node, key).map { .text($0) }
  }

  private mutating func decodeOtherRecords(_ node: YAMLNode) -> [NameAnswer.RecordSet] {
    (decodeMembers(node, "other") ?? []).compactMap { member in
      let key = member.key
      guard key.value.hasPrefix("TYPE"), key.value.dropFirst(4).allSatisfy(\.isWholeNumber),
        let number = UInt16(key.value.dropFirst(4)), number > 0
      else {
        report(
          "\"\(key.value)\" is not the number of a type of records", code: .unknownKey,
          at: key.range, help: "write TYPE and a number from 1 to 65535, as in TYPE65280")
        return nil
      }
      // RFC 6895, section 3.1: OPT, and types for questions and messages.
      guard number != 41, !(128...255).contains(number) else {
        report(
          "\"\(key.value)\" is a type of questions or messages, which no name has records of",
          code: .unknownKey, at: key.range,
          help: "write the number of another type, as in TYPE65280")
        return nil
      }
      if let type = NameRecordType.allCases.first(where: { $0.number == number }) {
        report(
          "\"\(key.value)\" has a name of its own", code: .unknownKey, at: key.range,
          help: "write \(type.rawValue) beside \"other\"")
        return nil
      }
      let data: [NameAnswer.Data]
      if case .mapping = member.value.content {
        guard
          let reader = mapping(
            member.value, as: Grammar.recordBytes, subject: "the data of \"\(key.value)\""),
          let text = required("base64", in: reader, example: "base64: CgAAAQ=="),
          let bytes = decodeBase64(text, "base64")
        else { return nil }
        data = [.bytes(bytes)]
      } else {
        data = decodeRecordTexts(member.value, key.value)
      }
      return NameAnswer.RecordSet(number: number, type: nil, range: key.range, data: data)
    }
  }

  // MARK: - Names

  mutating func decodeSearchDomains(_ node: YAMLNode) -> [Located<String>] {
    // resolv.conf(5): before version 2.26 of glibc, and of other libraries, six.
    let domains = decodeTextList(node, "search").compactMap { checkRecordName($0) }
    for domain in domains where domain.value.hasPrefix("*") {
      report(
        "a domain of \"search\" has no \"*\"", code: .badAddress, at: domain.range,
        help: "write a domain such as corp.test")
    }
    if domains.count > 6 {
      report(
        "\"search\" has \(domains.count) domains", code: .outOfRange, at: domains[6].range,
        help: "keep six, which is what every resolver reads")
    }
    return domains
  }

  /// The owner of records, in lower case and without a final dot.
  private mutating func checkRecordName(_ name: Located<String>) -> Located<String>? {
    var text = name.value.lowercased()
    if text.hasSuffix("."), text.count > 1 { text.removeLast() }
    guard let help = Self.mistake(inRecordName: text) else { return Located(text, at: name.range) }
    report(
      "\"\(name.value)\" is not the name of records", code: .badAddress, at: name.range, help: help)
    return nil
  }

  /// What is wrong with a name, as a help; `nil` for a domain name (RFC 1035, section 2.3.4; RFC 4592).
  private static func mistake(inRecordName text: String) -> String? {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) {
      let reversed = labels.reversed().joined(separator: ".")
      return "for the name of an address, write \(reversed).in-addr.arpa: { PTR: HOST }"
    }
    if text.hasPrefix("http://") || text.hasPrefix("https://") || text.contains(":") {
      return "write a name such as db.corp.test, without scheme and port"
    }
    guard text.allSatisfy(\.isASCII) else {
      return "write the name as it is asked for, in ASCII: xn--…"
    }
    guard labels.allSatisfy({ !$0.isEmpty }) else { return "write a name such as db.corp.test" }
    guard labels.allSatisfy({ $0.utf8.count <= 63 }), text.utf8.count <= 253 else {
      return "a name has at most 253 characters, and each part between dots at most 63"
    }
    for (index, label) in labels.enumerated() where label.contains("*") {
      guard index == 0, label == "*" else {
        return "\"*\" stands for whole names at the beginning only, as in *.corp.test"
      }
    }
    let isAllowed = text.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isLetter || character.isNumber || "-_./*".contains(character)
    }
    return isAllowed ? nil : "use letters, digits, \"-\" and \"_\" between the dots"
  }
}
