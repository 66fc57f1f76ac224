const GO_ESCAPES: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
  '\\b': '\\u0008',
  '\\f': '\\u000c',
};

/** Compact JSON, escaped as by Go's encoder (node-behaviour.md section 1.4). */
export function goJson(value: unknown): string {
  return escapeAsGo(JSON.stringify(value));
}

/** The same document with `?pretty`: indented by one space, empty arrays over two lines. */
export function prettyGoJson(compact: string): string {
  const indented = escapeAsGo(JSON.stringify(JSON.parse(compact), null, 1));
  return indented.replace(/^( *)(.*)\[\](,?)$/gm, '$1$2[\n$1]$3');
}

function escapeAsGo(json: string): string {
  // Whole escape pairs are consumed so that the b of an escaped backslash followed by b stays unchanged.
  return json.replace(/\\.|[<>&\u2028\u2029]/g, found => GO_ESCAPES[found] ?? found);
}
