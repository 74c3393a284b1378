import Testing

@Suite("Linkage")
struct LinkageTests {
  @Test("The runner needs neither the whole of Foundation nor ICU")
  func libraries() throws {
    let libraries = try BuiltRunner.run([], prefix: ["/usr/bin/ldd"]).output

    #expect(libraries.contains("libc.so.6"))
    #expect(!libraries.contains("libFoundation.so"))
    #expect(!libraries.contains("FoundationInternationalization"))
    #expect(!libraries.lowercased().contains("icu"))
  }
}
