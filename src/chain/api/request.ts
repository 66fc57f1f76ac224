import { LATE_AT, readWebAddress, UNREADABLE_ADDRESS, withScheme } from '../../base/text/web-address.ts';
import { hideLogin, withoutLogin } from './login.ts';

/** A GET request: a path relative to the base address, and its query in order. */
export interface NodeRequest {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  /** A data node passes it on to its core. */
  readonly isForCore?: true;
}

/**
 * The base address from what a person typed: `localhost:3008`, `https://host/some/path/`, with or without `/api/v2`.
 * Throws TypeError, with a message for the person, when it is not an http(s) address.
 */
export function baseAddress(typed: string): URL {
  const read = readWebAddress(typed);
  if (read instanceof URL) return toBase(read);
  const full = withScheme(typed);
  if (read === 'unreadable') throw new TypeError(unreadable(typed, full));
  const shown = typed.includes('@') ? hideLogin(full) : hidePort(typed);
  throw new TypeError(`"${shown}" ${read === 'scheme' ? 'is neither http nor https' : LATE_AT}`);
}

function unreadable(typed: string, full: string): string {
  const ipv6 = wrongIpv6(full);
  const shown = typed.includes('@') ? hideLogin(full) : ipv6 === undefined ? hidePort(typed) : typed;
  return `"${shown}" ${ipv6 ?? UNREADABLE_ADDRESS}`;
}

/** The problem with an IPv6 address, whose colons look like the start of a port; undefined for any other text. */
function wrongIpv6(full: string): string | undefined {
  const [, host = '', zone] =
    /^[^/]*\/\/(?:[^/]*@)?\[?([0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*)(%[^/]*)?(?:[/?#].*)?$/is.exec(full) ?? [];
  if (zone !== undefined)
    return 'has a network interface after %, which is not supported: use another address of the node';
  const [, before = '', port] = /^(.*):(\d{1,5})$/.exec(host) ?? [];
  const places = [
    ...(port !== undefined && URL.canParse(`http://[${before}]:${port}`) ? [`[${before}]:${port}`] : []),
    ...(URL.canParse(`http://[${host}]`) ? [`[${host}]`] : []),
  ];
  return places.length === 0 ? undefined : `is an IPv6 address without brackets: write ${places.join(' or ')}`;
}

function toBase(url: URL): URL {
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  url.search = '';
  url.hash = '';
  return url;
}

// Text where a port belongs may be a password whose @ was cut off.
const hidePort = (typed: string): string => typed.replace(/(:\/\/[^/:]*|^[^/:]*):(?!\/\/|\d+(?:\/|$)).+$/s, '$1:***');

/**
 * The full address of a request. Values are percent-encoded (cursors are base64 and contain `+` and `/`). A lone
 * surrogate becomes U+FFFD.
 */
export function requestUrl(base: URL, request: NodeRequest): string {
  const query = request.query.map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`).join('&');
  const path = `${base.href.replace(/\/$/, '')}/${request.path}`;
  return query === '' ? path : `${path}?${query}`;
}

/** The address of a client as it may be shown and stored: without login and trailing slash. */
export const shownAddress = (base: URL): string => withoutLogin(base).href.replace(/\/$/, '');

/** An address as it may be shown, its login as ***. Text that is not an address is not shown at all. */
export function addressWithoutLogin(typed: string): string {
  try {
    const { protocol, host, pathname, username, password } = baseAddress(typed);
    const login = username === '' && password === '' ? '' : '***@';
    return `${protocol}//${login}${host}${pathname.replace(/\/$/, '')}`;
  } catch {
    return 'no address';
  }
}

/** Whether a typed node is an address rather than the name of a profile. */
export const isAddress = (text: string): boolean => /[:/.@]/.test(text) || text === 'localhost';
