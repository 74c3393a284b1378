internal import Foundations

extension ExpressionRoot {
  /// The name's entry in the reference.
  package var entry: ExpressionEntry {
    let (usage, summary, example, result) = description
    return ExpressionEntry(
      name: rawValue, usage: usage, summary: summary, example: .init(example, result),
      mistake: mistake.map { .init($0.expression, $0.message) })
  }

  private var description: (String, String, String, String) {
    switch self {
    case .vars:
      ("vars.NAME", "A value of `vars`, as it was given.", "vars.who", #""world""#)
    case .secrets:
      (
        "secrets.NAME",
        "A secret of `secrets: { env: … }`: known to the run alone, and shown as *** everywhere.",
        "secrets.API_TOKEN", ""
      )
    case .matrix: ("matrix.NAME", "A value of the row.", "matrix.plan", #""pro""#)
    case .build:
      ("build.NAME", "An object of `build`.", "build.user.tags[1]", #""b""#)
    case .env:
      ("env.NAME", "A variable of the target, as `env` sets it.", "env.LANG", #""C""#)
    case .clock:
      (
        "clock.now, clock.today, clock.unix",
        "The scenario's own time at its start; in a reply, when that is made.", "clock.today",
        #""2026-03-01""#
      )
    case .scenario:
      (
        "scenario.name, scenario.id, scenario.index, scenario.seed", "The scenario itself.",
        "scenario.seed", "42"
      )
    case .seed: ("seed", "The seed that random values follow from.", "seed", "42")
    case .dir: ("dir", "The scenario's directory, known to the run.", "dir + '/a.txt'", "")
    case .targets:
      (
        "targets.NAME.address",
        "The address of this machine at which commands of steps reach a target.",
        "targets.db.address", ""
      )
    case .capture:
      ("capture.NAME", "What a step before has captured.", "capture.token", "")
    case .request:
      (
        "request.method, request.url, request.path.NAME, request.query.NAME, request.headers['NAME'], "
          + "request.body, request.json, request.count",
        "In a reply: the request that it is for.", "request.json.items[0].id", ""
      )
    case .state:
      (
        "state.NAME",
        "In a reply, and in `set`: a value of the state as it was before the request, or the items of a store.",
        "state.todo", ""
      )
    case .object:
      ("self.FIELD", "In a factory: a field of the object.", "self.name", "")
    case .parent:
      ("parent.FIELD", "In a factory: a field of the object around this one.", "parent.id", "")
    case .n:
      (
        "n", "In a factory: the number of the object, from 1; in a sequence, its number.",
        "'user' + string(n)", ""
      )
    case .index:
      ("index", "In a list that `$list` or `count` makes: the place, from 0.", "index + 1", "")
    case .count: ("count", "There: the number of elements.", "index == count - 1", "")
    }
  }

  private var mistake: (expression: String, message: String)? {
    switch self {
    case .vars: ("vars.whom", "\"vars\" has no \"whom\"")
    case .secrets: ("secrets.TOKEN", "\"secrets\" has no \"TOKEN\"")
    case .matrix: ("matrix.plans", "the row of \"matrix\" has no \"plans\"")
    case .build: ("build.usr", "\"build\" has no object \"usr\"")
    case .env: ("env.HOME", "\"env\" has no \"HOME\"")
    case .clock: ("clock.year", "\"clock\" has no \"year\"")
    case .scenario: ("scenario.title", "\"scenario\" has no \"title\"")
    case .dir: ("dir.name", "\"dir\" is text, which has no \".name\"")
    case .capture: ("capture.tokn", "\"capture\" has no \"tokn\"")
    case .targets: ("targets.db.address", "\"targets\" has no target \"db\"")
    case .request: ("request.method", "\"request\" is known only in replies")
    case .state: ("state.todo", "\"state\" is known only in replies")
    case .object, .parent:
      ("\(rawValue).name", "\"\(rawValue)\" is known only in objects of factories")
    case .n: ("n", "\"n\" is known only in objects of factories, and in the value of a sequence")
    case .index, .count:
      (rawValue, "\"\(rawValue)\" is known only in lists that $list or \"count\" makes")
    case .seed: nil
    }
  }
}
