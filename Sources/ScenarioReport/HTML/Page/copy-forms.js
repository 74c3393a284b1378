// A request in the forms in which it is used elsewhere: a command of curl, an entry of `responses:`.

/** Headers that curl writes itself, or that belong to one connection. */
const OWN_HEADERS = ['host', 'content-length', 'connection', 'transfer-encoding', 'keep-alive', 'upgrade', 'te', 'trailer', 'proxy-connection'];

function headerOf(message, name) {
  return message.h.find(([each]) => each.toLowerCase() === name)?.[1];
}

/** A word that a shell reads as it stands. */
function shellWord(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function curlForm(exchange) {
  const { q } = exchange;
  const words = ['curl'];
  // With -X HEAD, curl would wait for the body that no reply to HEAD has.
  if (exchange.m === 'HEAD') words.push('--head');
  else if (exchange.m !== 'GET' || q.b) words.push('-X', shellWord(exchange.m));
  words.push(shellWord(exchange.u));
  const lines = [words.join(' ')];
  for (const [name, value] of q.h) {
    if (OWN_HEADERS.includes(name.toLowerCase())) continue;
    if (name.toLowerCase() === 'accept-encoding') lines.push('--compressed');
    // An empty header is written with a semicolon: with a colon it is taken out.
    else lines.push(`-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`);
  }
  if (q.b && !headerOf(q, 'content-type')) lines.push("-H 'Content-Type:'");
  if (q.b) lines.push(q.e ? '--data-binary @-' : `--data-raw ${shellWord(q.b)}`);
  const input = q.e ? `printf %s ${shellWord(q.b)} | base64 -d | ` : '';
  const note = q.x ? '# only the beginning of the body is here\n' : '';
  return note + input + lines.join(' \\\n  ');
}

/** A text in double quotes, as JSON and YAML both read it, in which nothing is an expression. */
function quoted(text) {
  return JSON.stringify(shielded(text)).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escapedUnit);
}

function escapedUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function shielded(text) {
  return text.replace(/\$\{\{|\{\{/g, (mark) => (mark === '{{' ? "${{ '{{' }}" : '$${{'));
}

/** A length of time in the language's words, exactly. */
function writtenLength(nanoseconds) {
  for (const [size, unit] of [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']]) {
    if (nanoseconds % size === 0) return `${nanoseconds / size}${unit}`;
  }
  return `${nanoseconds}ns`;
}

/** JSON as the language writes it; `null` if something of it would be read as something else. */
function writtenJSON(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  // A number of more digits than this page can hold, or a name that comes twice.
  const compact = text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (each) => (each[0] === '"' ? JSON.stringify(JSON.parse(each)) : ''));
  if (compact !== JSON.stringify(value)) return null;
  const write = (each) => {
    if (typeof each === 'string') return quoted(each);
    if (each === null || typeof each !== 'object') return JSON.stringify(each);
    if (Array.isArray(each)) return `[${each.map(write).join(', ')}]`;
    if (Object.keys(each).some((key) => key.startsWith('$') || key === '<<' || key.includes('{{'))) throw new Error('a name that means something else');
    return `{${Object.entries(each).map(([key, member]) => `${JSON.stringify(key)}: ${write(member)}`).join(', ')}}`;
  };
  try {
    return write(value);
  } catch {
    return null;
  }
}

/** The entry that a failure suggests for a request that nothing has answered; `null` if none does. */
function suggestedEntry(exchange, failures) {
  // The second is in event streams of earlier versions.
  const marks = ['add this response:', 'an entry that answers it:'];
  for (const failure of failures) {
    const lines = failure.details.flatMap((text) => text.split('\n'));
    const start = lines.findIndex((text) => marks.includes(text));
    if (start < 0 || !failure.message.includes(`${exchange.m} ${exchange.u}`)) continue;
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((text) => !text.startsWith('  '));
    return rest.slice(0, end < 0 ? rest.length : end).map((text) => `${text.slice(2)}\n`).join('');
  }
  return null;
}

/** A request and its reply as an entry of `responses:`. */
function yamlForm(exchange, failures = []) {
  const { a } = exchange;
  const isUnmatched = headerOf(a, 'x-scenario') === 'unmatched';
  const suggested = isUnmatched ? suggestedEntry(exchange, failures) : null;
  if (suggested) return suggested;
  // Braces and stars of a URL are patterns in the language.
  const url = exchange.u.replace(/[{}*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
  const request = `- request: ${quoted(`${exchange.m} ${url}`)}`;
  // What it got is the report of a mistake, and no reply.
  if (isUnmatched) return `${request}\n  reply: { status: 200 }\n`;
  const lines = [request, '  reply:', `    status: ${exchange.s}`];
  if (exchange.d) lines.push(`    after: ${writtenLength(exchange.d)}`);
  const json = a.b && !a.e && !a.x && /json/i.test(headerOf(a, 'content-type') ?? 'json') ? writtenJSON(a.b) : null;
  const skipped = [...OWN_HEADERS, 'date', 'content-encoding', 'x-scenario'];
  const names = [...new Set(a.h.map(([name]) => name.toLowerCase()))].filter((name) => (
    !skipped.includes(name) && !(name === 'content-type' && json !== null && headerOf(a, name) === 'application/json')));
  if (names.length) lines.push('    headers:');
  for (const name of names) {
    const values = a.h.filter(([each]) => each.toLowerCase() === name).map(([, value]) => quoted(value));
    lines.push(`      ${quoted(name)}: ${values.length === 1 ? values[0] : `[${values.join(', ')}]`}`);
  }
  if (json !== null) lines.push(`    json: ${json}`);
  else if (a.b && a.e) lines.push(`    base64: ${quoted(a.b)}`);
  else if (a.b) lines.push(`    text: ${quoted(a.b)}`);
  const note = a.x ? '# only the beginning of the body is here\n' : '';
  return `${note}${lines.join('\n')}\n`;
}
