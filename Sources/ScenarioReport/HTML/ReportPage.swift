/// The page around the data.
enum ReportPage {
  /// The permissions of the page: to run its own script, use its own style, and nothing else; where it is live, to
  /// hear of the run from where it comes.
  static func policy(isLive: Bool) -> String {
    [
      "default-src 'none'\(isLive ? "; connect-src 'self'" : "")",
      "script-src 'sha256-\(reportPageScriptDigest)'",
      "style-src 'sha256-\(reportPageStyleDigest)'", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")
  }

  /// The document up to the data.
  ///
  /// - Parameter round: its number if it follows runs, as `scenario ui` serves it; `nil` if it does not.
  static func beginning(round: Int?) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(policy(isLive: round != nil))">\(round.map { "\n<meta name=\"scenario-round\" content=\"\($0)\">" } ?? "")
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>scenario report</title>
    <style>\(reportPageStyle)</style>
    </head>
    <body>
    <header class="top"><div id="title" class="grow">scenario report</div>
    <button id="keys" aria-haspopup="dialog" aria-label="keyboard shortcuts">?</button>
    <button id="theme">dark</button></header>
    <main id="main"><p>The report is loading. If this stays, the file is incomplete, or the browser does not run its script.</p>
    <noscript>This report needs JavaScript; it runs offline and loads nothing.</noscript></main>
    <dialog id="help" aria-label="keyboard"><form method="dialog">
    <h2>Keyboard</h2>
    <table class="facts-table">
    <tr><th scope="row"><kbd>/</kbd></th><td>search all scenarios, or the one that is open: <code>text</code>, \
    <code>s:failed</code>, <code>@tag</code>, <code>file:name</code>, <code>-word</code></td></tr>
    <tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd></th><td>in the list: select and open a scenario</td></tr>
    <tr><th scope="row"><kbd>j</kbd> <kbd>k</kbd></th><td>in a scenario: next and previous event</td></tr>
    <tr><th scope="row"><kbd>Enter</kbd></th><td>in the search of a scenario: next place; with <kbd>Shift</kbd> the previous one</td></tr>
    <tr><th scope="row"><kbd>n</kbd> <kbd>p</kbd></th><td>next and previous scenario of the list</td></tr>
    <tr><th scope="row"><kbd>t</kbd></th><td>go to the timeline</td></tr>
    <tr><th scope="row"><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd></th>\
    <td>on the timeline: select an event; with <kbd>Shift</kbd> pan</td></tr>
    <tr><th scope="row"><kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd></th><td>on the timeline: zoom, show all</td></tr>
    <tr><th scope="row"><kbd>f</kbd></th><td>on the timeline: fold or unfold the group of processes</td></tr>
    <tr><th scope="row"><kbd>Esc</kbd></th><td>back to the list</td></tr>
    <tr><th scope="row"><kbd>?</kbd></th><td>this</td></tr>
    </table>
    <p><button autofocus>close</button></p></form></dialog>

    """
  }
}
