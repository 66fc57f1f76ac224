import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { NetworkError } from './errors.ts';
import { splitLogin } from './login.ts';

/** The proxy that the environment names for an address, by the rules of curl. */
export interface ProxyChoice {
  /** The variable that sets it: `HTTPS_PROXY`. */
  readonly variable: string;
  readonly protocol: 'http:' | 'https:' | 'socks4:' | 'socks4a:' | 'socks5:' | 'socks5h:';
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Value of the proxy-authorization header; undefined when the address has no login. */
  readonly authorization: string | undefined;
  /** Host and port, for messages. */
  readonly shown: string;
}

// curl ignores HTTP_PROXY, which a web server may set from a request; most other programs use it.
const VARIABLES: { readonly [protocol: string]: readonly string[] } = {
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
};

/** Undefined when the environment names none, or excludes the host. Throws NetworkError for a proxy that cannot be used. */
export function proxyFor(env: NodeJS.ProcessEnv, url: string): ProxyChoice | undefined {
  const address = new URL(url);
  const variable = (VARIABLES[address.protocol] ?? []).find(name => env[name]?.trim());
  if (variable === undefined) return undefined;
  if (isExcluded(env.no_proxy?.trim() || env.NO_PROXY || '', address)) return undefined;
  return chosen(variable, env[variable]?.trim() ?? '', url);
}

const PROTOCOLS: { readonly [written: string]: ProxyChoice['protocol'] } = {
  http: 'http:',
  https: 'https:',
  socks: 'socks4:',
  socks4: 'socks4:',
  socks4a: 'socks4a:',
  socks5: 'socks5:',
  socks5h: 'socks5h:',
};

function chosen(variable: string, typed: string, url: string): ProxyChoice {
  const [, written = 'http', rest = typed] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(typed) ?? [];
  const protocol = PROTOCOLS[written.toLowerCase()];
  if (protocol === undefined)
    throw new NetworkError(`${variable} sets a proxy with the scheme ${written}, which is not supported`, {
      url,
      hint: 'use http://, https://, socks5h:// or socks4a://, or exclude this host with NO_PROXY',
    });
  // For a scheme that URL does not know, it keeps every port that is written.
  const [parts, ports] = [parsed(`http://${rest}`), parsed(`proxy://${rest}`)];
  // The text may have a login, so it is not shown.
  if (parts === null || ports === null)
    throw new NetworkError(`the proxy address in ${variable} is not valid`, {
      url,
      hint: `write ${variable}=http://host:port; in a login, write / ? # @ as %2F %3F %23 %40`,
    });
  const port = Number(ports.port) || (protocol === 'https:' ? 443 : CURL_PORT);
  return {
    ...{ variable, protocol, port, host: bare(parts.hostname), shown: `${parts.hostname}:${port}` },
    ...{ user: unescaped(parts.username), password: unescaped(parts.password) },
    authorization: splitLogin(parts).authorization,
  };
}

/** curl's port of a proxy whose address has none. */
const CURL_PORT = 1080;

const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

/** An address of IPv6 without its brackets. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether NO_PROXY lists the host: names with their subdomains, addresses, networks, each with or without a port. */
function isExcluded(list: string, { hostname, port, protocol }: URL): boolean {
  const host = bare(hostname).replace(/\.$/, '');
  const usedPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .map(splitPort)
    .some(entry => (entry.port ?? usedPort) === usedPort && covers(entry.what, host));
}

/** `[::1]:80` and `name:80` have a port, `::1` has none. */
function splitPort(entry: string): { readonly what: string; readonly port: string | undefined } {
  const [, inBrackets, bits = '', after] = /^\[(.*)\](\/\d+)?(?::(\d+))?$/.exec(entry) ?? [];
  if (inBrackets !== undefined) return { what: inBrackets + bits, port: after };
  const [, what = entry, port] = /^([^:]*):(\d+)$/.exec(entry) ?? [];
  return { what, port };
}

function covers(what: string, host: string): boolean {
  if (what === '*') return true;
  const family = isIP(host);
  if (family !== 0) return parseNetwork(what)?.check(host, family === 4 ? 'ipv4' : 'ipv6') ?? false;
  if (what.startsWith('*')) return what.length > 1 && host.endsWith(what.slice(1));
  const plain = what.replace(/^\.+|\.$/g, '');
  const name = domainToASCII(plain) || plain;
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

/** The addresses of `10.0.0.1`, `10.0.0.0/8`, `fd00::/8` or `10.0.0.1-10.0.0.9`; undefined for any other text. */
function parseNetwork(what: string): BlockList | undefined {
  const [, first = '', mark, last = ''] = /^([0-9a-f.:]+)(?:([/-])([0-9a-f.:]+))?$/.exec(what) ?? [];
  const family = isIP(first) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(first) === 0) return undefined;
  const network = new BlockList();
  try {
    if (mark === undefined) network.addAddress(first, family);
    else if (mark === '/') network.addSubnet(first, Number(last), family);
    else network.addRange(first, last, family);
    return network;
  } catch {
    return undefined;
  }
}
