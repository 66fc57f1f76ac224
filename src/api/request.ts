import { hideLogin, withoutLogin } from './login.ts';

/** A GET on the node: a path relative to the base address and its query, in order; empty values are never sent. */
export interface NodeRequest {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * The node's base address from what a person typed: `localhost:3008`, `https://host/some/path/`, with or without the
 * `/api/v2` that every path adds. Throws TypeError with a sentence when it is no http(s) address.
 */
export function baseAddress(typed: string): URL {
  const full = withScheme(typed);
  const shown = typed.includes('@') ? hideLogin(full) : hidePort(typed);
  if (!URL.canParse(full)) throw new TypeError(`"${shown}" is not an address such as https://node.example:3008`);
  const url = new URL(full);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`"${shown}" is neither http nor https`);
  if (/@/.test(`${url.pathname}${url.search}${url.hash}`))
    throw new TypeError(`"${shown}" has an @ behind the host: a / ? or # in a password is written %2F, %3F or %23`);
  return toBase(url);
}

/** The same without a look at what it is: the start has no room for sentences. Throws when it is no address. */
export const uncheckedBase = (typed: string): URL => toBase(new URL(withScheme(typed)));

function withScheme(typed: string): string {
  const text = typed.trim();
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

function toBase(url: URL): URL {
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  url.search = '';
  url.hash = '';
  return url;
}

// What stands where a port should be and is none may be the password of an address that was cut off before its @.
const hidePort = (typed: string): string => typed.replace(/(:\/\/[^/:]*|^[^/:]*):(?!\/\/|\d+(?:\/|$)).+$/s, '$1:***');

/**
 * The full address of a request; every value is percent-encoded (cursors are base64 and hold `+` and `/`). Half of a
 * surrogate pair, which a node may have sent in an id, cannot be: it is U+FFFD then, as in any address.
 */
export function requestUrl(base: URL, request: NodeRequest): string {
  const query = request.query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  const path = `${base.href.replace(/\/$/, '')}/${request.path}`;
  return query === '' ? path : `${path}?${query}`;
}

/** The address of a client as it is shown and stored. */
export const shownAddress = (base: URL): string => withoutLogin(base).href.replace(/\/$/, '');
