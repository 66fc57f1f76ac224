/** What keeps a typed text from being the address of a node. */
export type AddressMistake = 'unreadable' | 'scheme' | 'late-at';

/** The http(s) address that a user typed, `localhost:3008` or `https://host/path`, or the mistake in it. */
export function readWebAddress(typed: string): URL | AddressMistake {
  const full = withScheme(typed);
  if (!URL.canParse(full)) return 'unreadable';
  const url = new URL(full);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  return /@/.test(`${url.pathname}${url.search}${url.hash}`) ? 'late-at' : url;
}

/** The text, with http:// if it has no scheme. */
export function withScheme(typed: string): string {
  const text = typed.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

export const UNREADABLE_ADDRESS = 'is not an address such as https://node.example:3008';

export const LATE_AT = 'has an @ after the host: write / ? # in a password as %2F %3F %23';
