/** What a text is as JSON, of which numbers need not be exact; undefined if it is none. */
export function anyJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
