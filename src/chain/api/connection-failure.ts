import { newUnreachableProxyError, ProxyError, proxyHint } from './client-proxy-error.ts';
import { connectionCode, connectionReason } from './connection-reason.ts';
import {
  CANNOT_REACH,
  ConnectTimeoutError,
  NetworkError,
  NodeError,
  TimeoutError,
  UndecodableError,
} from './errors.ts';
import type { ProxyChoice } from './proxy-choice.ts';
import type { Phase } from './request-clock.ts';

/** Where a request was when it failed. */
interface FailureContext {
  readonly url: string;
  readonly phase: Phase;
  readonly proxy: ProxyChoice | undefined;
}

/** What an error of the connection means. */
export function toConnectionError(error: unknown, at: FailureContext): NodeError {
  const { url, phase, proxy } = at;
  const cause = error instanceof Error ? error : new Error(String(error));
  // got wraps the error that a request is destroyed with, and that of an agent.
  if (cause.cause instanceof NodeError) return cause.cause;
  if (cause.cause instanceof ProxyError) return fromProxy(cause.cause, url);
  const code = connectionCode(cause);
  if (proxy !== undefined && isToProxy(proxy, at)) return fromProxy(newUnreachableProxyError(proxy, cause), url);
  if (code.startsWith('HPE_') && phase !== 'body') return notHttp(url, cause);
  const what = phase === 'body' ? 'the connection was lost' : CANNOT_REACH;
  return new NetworkError(`${what}: ${connectionReason(cause) || code}`, {
    url,
    hint: connectionHint(code, cause, at),
    cause,
  });
}

/** Whether the request itself is sent to the proxy. A tunnel is opened first, and reports its proxy's failure itself. */
export const isForwarded = ({ protocol }: ProxyChoice, url: string): boolean =>
  url.startsWith('http:') && protocol.startsWith('http');

const isToProxy = (proxy: ProxyChoice, { url, phase }: FailureContext): boolean =>
  isForwarded(proxy, url) && ['lookup', 'connect', 'secureConnect'].includes(phase);

const fromProxy = ({ message, hint, cause }: ProxyError, url: string): NetworkError =>
  new NetworkError(message, { url, hint, cause });

/** A phase that took longer than its limit. */
export function newTimeoutError({ url, phase, proxy }: FailureContext, limitMs: number, hint: string): TimeoutError {
  const { host } = new URL(url);
  const seconds = Number((limitMs / 1000).toFixed(2));
  const Late = phase === 'response' || phase === 'body' ? TimeoutError : ConnectTimeoutError;
  if (proxy === undefined || phase === 'body' || (phase !== 'proxy' && !isForwarded(proxy, url)))
    return new Late(`${PHASES[phase]} took too long`, { url, hint });
  const message =
    phase === 'proxy'
      ? `the proxy ${proxy.shown} did not connect to ${host} within ${seconds} s`
      : `the proxy ${proxy.shown} did not answer within ${seconds} s`;
  return new Late(message, { url, hint: `${proxyHint(proxy)}; otherwise ${hint}` });
}

const PHASES: { readonly [phase in Phase]: string } = {
  proxy: 'no answer: connecting',
  lookup: 'no answer: the name lookup',
  connect: 'no answer: connecting',
  secureConnect: 'no answer: the TLS handshake',
  response: 'no answer: the wait for the first byte',
  body: 'no complete answer: receiving it',
};

/** Bytes that are not an HTTP/1.1 answer. TLS and HTTP/2 are recognised. */
function notHttp(url: string, cause: Error): UndecodableError {
  const start = firstBytes(cause);
  const at = (hint: string) => ({ url, hint, cause });
  if (start[0] === TLS_ALERT && start[1] === TLS_MAJOR)
    return new UndecodableError(
      'the answer is TLS, not HTTP',
      at('this port speaks TLS: try https:// instead of http://'),
    );
  if (start[3] === HTTP2_SETTINGS || start[3] === HTTP2_GOAWAY)
    return new UndecodableError(
      'the answer is HTTP/2, which was not asked for',
      at('this may be the gRPC port of the node: a data node usually serves REST on 3008'),
    );
  if ('code' in cause && cause.code === 'HPE_HEADER_OVERFLOW')
    return new UndecodableError(
      'the header of the answer is larger than 16 KiB',
      at('a proxy in front of the node may add cookies or the like: try another address of this node'),
    );
  return new UndecodableError(
    `the answer is not valid HTTP: ${cause.message}`,
    at('check the address and the port (a data node usually serves REST on 3008)'),
  );
}

const TLS_ALERT = 0x15;
const TLS_MAJOR = 3;
const HTTP2_SETTINGS = 4;
const HTTP2_GOAWAY = 7;

/** What the parser of HTTP could not read, from an error or one that it wraps. */
function firstBytes(error: unknown): Uint8Array {
  if (!(error instanceof Error)) return new Uint8Array();
  return 'rawPacket' in error && error.rawPacket instanceof Uint8Array ? error.rawPacket : firstBytes(error.cause);
}

function connectionHint(code: string, cause: Error, { url, phase, proxy }: FailureContext): string {
  if (code === 'ECONNRESET' && phase === 'secureConnect') return HINTS.CLOSED_IN_TLS ?? '';
  if (code === 'ECONNRESET' && phase === 'response' && proxy !== undefined && isForwarded(proxy, url))
    return `the proxy closed the connection. ${proxyHint(proxy)}`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return nameHint(cause);
  const known = HINTS[code] ?? ERRORS_OF_TLS.find(([pattern]) => pattern.test(code))?.[1];
  if (known === undefined) return 'check the address and the network';
  const isReplaced = proxy !== undefined && REPLACED_BY_PROXIES.has(code);
  return isReplaced ? `${known}. The proxy ${proxy.shown} may have replaced the certificate of the node` : known;
}

/** The certificate lists its valid host names. */
function nameHint(error: unknown): string {
  if (!(error instanceof Error)) return 'use an address with a name that the certificate of the node has';
  if (!('cert' in error)) return nameHint(error.cause);
  const { cert } = error;
  const names = cert instanceof Object && 'subjectaltname' in cert ? String(cert.subjectaltname ?? '') : '';
  return names === ''
    ? 'the certificate of the node lists no host: its operator has to replace it'
    : `the certificate is for ${names.slice(0, 200)}: use an address with such a name`;
}

const UNKNOWN_AUTHORITY =
  'this machine does not trust the issuer of the certificate: set NODE_EXTRA_CA_CERTS to its file, or NODE_USE_SYSTEM_CA=1 if this machine has it';

const HINTS: { readonly [code: string]: string } = {
  ECONNREFUSED: 'check the address and the port: nothing is listening there (a data node usually serves REST on 3008)',
  ENOTFOUND: 'check the address: the host was not found',
  EAI_AGAIN: 'check the network and DNS: the name could not be looked up',
  ECONNRESET:
    'try again: the connection was closed, the node or a proxy may be restarting. If it keeps failing, this may be the port of gRPC or TLS (https://)',
  CLOSED_IN_TLS:
    'the connection was closed during the TLS handshake: the port may not speak TLS (try http://), or a firewall blocks this host name',
  EHOSTUNREACH: 'check the address, the network and the VPN: no route leads to this host',
  ENETUNREACH:
    'check the connection of this machine, and whether it has IPv6 if the address has: no route leads to this network',
  ETIMEDOUT: 'check the address, and whether a firewall blocks the port: the host does not answer',
  EACCES: 'check the firewall of this machine: it does not allow the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'use http:// instead of https://: the node does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'use http:// instead of https://: the node does not speak TLS',
  ERR_SSL_HTTP_REQUEST: 'use http:// instead of https://: the node does not speak TLS',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the certificate is self-signed: if you trust it, set NODE_EXTRA_CA_CERTS to a file with it',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the node sends its certificate without the intermediate certificate: its operator has to send the whole chain. For an authority of your own, set NODE_EXTRA_CA_CERTS to its file',
  CERT_HAS_EXPIRED:
    'a certificate of the node has expired: its operator has to renew it. Check the clock of this machine too',
  CERT_NOT_YET_VALID: 'a certificate of the node is not valid yet: check the clock of this machine',
  CERT_REVOKED: 'the certificate was revoked: its operator has to replace it',
};

/** Errors of a handshake, by OpenSSL's own names for them, which differ between its versions. */
const ERRORS_OF_TLS: readonly (readonly [pattern: RegExp, hint: string])[] = [
  [
    /^ERR_SSL_.*(?:PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW)$/,
    'the node and this program have no version of TLS in common: its operator has to offer TLS 1.2 or 1.3',
  ],
  [
    /^ERR_SSL_.*CERTIFICATE_REQUIRED$/,
    'the node requires a client certificate, which blockglass cannot send: use an address without it, or a local proxy that sends one',
  ],
  [
    /^ERR_SSL_.*ALERT_(?:BAD|UNKNOWN|UNSUPPORTED|EXPIRED|REVOKED)_?(?:CERTIFICATE|CA)|^ERR_SSL_.*ALERT_CERTIFICATE/,
    'the node wants another client certificate than it got, and blockglass cannot send one: use a local proxy that sends it',
  ],
  [
    /^ERR_SSL_.*HANDSHAKE_FAILURE$/,
    'the node refused the TLS handshake: it may require a client certificate, or ciphers that this program does not have',
  ],
  [
    /^ERR_SSL_.*UNRECOGNIZED_NAME$/,
    'the server has no certificate for this host name: use the name that it is set up for',
  ],
  [
    /^ERR_SSL_.*NO_APPLICATION_PROTOCOL$/,
    'this port does not speak HTTP/1.1, perhaps only HTTP/2: a data node usually serves REST on 3008',
  ],
  [/^(?:ERR_SSL_|EPROTO)/, 'the TLS handshake failed: its reason is above, and the operator of the node can mend it'],
  [
    /^(?:CERT_|UNABLE_TO_|CRL_|INVALID_|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|EE_|CA_)/,
    'the certificate of the node is not accepted: its operator has to replace it',
  ],
];

/** Proxies that look into TLS send certificates of their own authority. */
const REPLACED_BY_PROXIES: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
