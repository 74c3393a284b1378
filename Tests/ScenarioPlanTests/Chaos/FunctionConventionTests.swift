@testable import FaultEngine
import Foundations
import ScenarioModel
import ScenarioPlan
import Testing

@Suite("What functions return, as far as their names tell")
struct FunctionConventionTests {
  @Test(
    "Numbers of libm, functions of Go, and all others",
    arguments: [
      ("sin", FunctionConvention.double), ("strtod", .double), ("sinf", .float),
      ("strtof", .float), ("sinl", .extended), ("csqrt", .complex), ("cexpf", .complex),
      ("sinf32", .float), ("sinf64", .double), ("sinf32x", .double), ("sinf64x", .extended),
      ("sinf128", .extended), ("strtof64", .double), ("strtold", .extended), ("csqrtf64", .complex),
      ("lrint", .integer), ("strtol", .integer), ("wcstol", .integer), ("malloc", .integer),
      ("lrintf64", .integer),
      ("signal", .integer), ("printf", .integer), ("strconv.Atoi", .go),
      ("net/http.(*Client).Do", .go), ("main.fetch", .go), ("github.com/a/b.v2.Open", .go),
      ("parse.part.0", .integer), ("run.cold", .integer), ("_ZN3app5Store4saveEi", .integer),
    ])
  func convention(name: String, expected: FunctionConvention) {
    #expect(FunctionConvention.of(name) == expected)
  }

  @Test(
    "A function with the tag of the new std::string behind its own name returns one",
    arguments: [
      ("_ZN3app5Store4nameB5cxx11Ev", true), ("_ZNK3app5Store4nameB5cxx11Ev", true),
      ("_Z4nameB5cxx11i", true), ("_ZN3app5StoreB5cxx114sizeEv", false),
      ("_ZN3app5Store4nameEv", false), ("nameB5cxx11E", false),
    ])
  func strings(name: String, isOne: Bool) {
    #expect(FunctionConvention.returnsString(name) == isOne)
  }

  @Test("A constant is the number that the function returns, as wide as it is")
  func numbers() {
    #expect(FunctionConvention.double.number(for: 2) == 2.0)
    let bits = FunctionConvention.float.number(for: 2)?.bitPattern
    #expect(bits == UInt64(Float(2).bitPattern))
    #expect(FunctionConvention.integer.number(for: 2) == nil)
  }

  @Test(
    "What a symbol's function cannot return is known before it is given",
    arguments: [
      ("sin", FunctionConvention.Replacement.error, false), ("sin", .computation, false),
      ("sin", .integer, true), ("sin", .fraction, true), ("__sin_fma", .error, false),
      ("__ieee754_exp_sse2", .text, false), ("__sin_fma", .fraction, true), ("sinl", .zero, false),
      ("csqrt", .integer, false), ("lrint", .fraction, false), ("lrint", .error, true),
      ("save", .error, true), ("__save", .error, true), ("save", .fraction, true),
      ("main.Save", .error, false), ("main.Save", .integerAndErrno, false),
      ("main.Save", .integer, true), ("internal/cpu.cpuid.abi0", .zero, false),
      ("strlen", .error, false), ("__strlen_avx2", .error, false), ("strlen", .integer, true),
      ("strdup", .error, true), ("_ZN3app5Store4nameB5cxx11Ev", .zero, false),
      ("_ZN3app5Store4nameB5cxx11Ev", .answer, true),
    ])
  func obstacles(name: String, replacement: FunctionConvention.Replacement, isFree: Bool) {
    let reason = FunctionConvention.obstacle(to: replacement, of: name)
    #expect((reason == nil) == isFree, "\(reason ?? "")")
    #expect(reason?.contains("\"\(name)\"") ?? true)
  }

  @Test("A provider gives what any of its parts gives")
  func replacements() {
    let provider = PlannedProvider.sequence([
      .original, .delay(from: .zero, to: .zero, then: .result(0)),
      .match([], otherwise: .signal(number: 1, isAfter: false, then: .fraction(0.5))), .hang,
    ])
    #expect(provider.replacements == [.zero, .fraction])
    #expect(PlannedProvider.original.replacements.isEmpty)
    let error = ErrorNumber(name: "EIO", code: 5)
    #expect(PlannedProvider.failure(-1, error).replacements == [.integerAndErrno])
  }

  @Test(
    "Names of C++ are the symbols that they have",
    arguments: [
      ("app::Store::save(int)", ["_ZN3app5Store4saveEi", "_ZN3app5Store4saveB*Ei"]),
      (
        "app::Store::save",
        [
          "_ZN3app5Store4saveE*", "_ZN3app5Store4saveB*E*", "_ZNK3app5Store4saveE*",
          "_ZNK3app5Store4saveB*E*",
        ]
      ),
      ("app::Store::size() const", ["_ZNK3app5Store4sizeEv", "_ZNK3app5Store4sizeB*Ev"]),
      ("save(const char*, unsigned long)", ["_Z4savePKcm", "_Z4saveB*PKcm"]),
      ("a::b(char const *)", ["_ZN1a1bEPKc", "_ZN1a1bB*EPKc"]),
    ])
  func symbols(name: String, expected: [String]) {
    #expect(CPlusPlusName.isMeant(by: name))
    #expect(CPlusPlusName(name)?.symbols == expected)
  }

  @Test(
    "What is not translated is refused",
    arguments: [
      "std::sort", "app::Store::Store()", "app::save(std::string)", "a::b(char*, char*)",
      "app::List<int>::add", "a::operator==",
    ])
  func untranslated(name: String) throws {
    #expect(CPlusPlusName.isMeant(by: name))
    #expect(CPlusPlusName(name) == nil)
    let plan = try Samples.plan(
      "target: { command: [./program] }\nchaos: [ { function: \"\(name)\", provide: nil } ]\n")
    #expect(
      plan.diagnostics.contains { $0.message.contains("cannot be determined from its C++ name") })
  }

  @Test(
    "Names of C and Go are none of C++", arguments: ["malloc", "net/http.(*Client).Do", "BN_*"])
  func others(name: String) {
    #expect(!CPlusPlusName.isMeant(by: name))
  }

  @Test(
    "A result that a function does not have is refused",
    arguments: [
      ("sin", "error: EDOM", "returns a floating point number"),
      ("sin", "compute: result / 2", "returns a floating point number"),
      ("sinl", "constant: 0", "returns a long double"),
      ("csqrt", "constant: 9", "returns a complex number"),
      ("lrint", "constant: 9.5", "returns an integer"),
      ("strconv.Atoi", "error: EIO", "is a Go function"),
      ("strconv.Atoi", "constant: -1, errno: EIO", "is a Go function"),
    ])
  func refused(function: String, provide: String, words: String) throws {
    let plan = try Samples.plan(
      "target: { command: [./program] }\nchaos: [ { function: \(function), provide: { \(provide) } } ]\n"
    )
    #expect(plan.diagnostics.contains { $0.message.contains(words) }, "\(plan.diagnostics)")
  }

  @Test(
    "One that it has is not",
    arguments: [
      ("sin", "constant: 0"), ("sin", "constant: 0, errno: EDOM"), ("sin", "delay: 1s"),
      ("sinl", "delay: 1s"), ("strconv.Atoi", "constant: 5"), ("getpid", "error: EIO"),
    ])
  func allowed(function: String, provide: String) throws {
    let plan = try Samples.plan(
      "target: { command: [./program] }\nchaos: [ { function: \(function), provide: { \(provide) } } ]\n"
    )
    #expect(!plan.diagnostics.contains { $0.severity == .error }, "\(plan.diagnostics)")
  }
}
