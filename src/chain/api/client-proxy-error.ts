import { connectionCode, connectionReason } from './connection-reason.ts';
import type { ProxyChoice } from './proxy-choice.ts';

/** A proxy that did not open a connection. */
export class ProxyError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
  }
}

/** What to do where a proxy is the cause, or may be. */
export const proxyHint = ({ variable }: ProxyChoice, what = 'check that proxy'): string =>
  `${variable} names this proxy: ${what}, or exclude the host with NO_PROXY`;

/** A proxy that no connection can be made to, or that does not answer as one. */
export function newUnreachableProxyError(proxy: ProxyChoice, cause: Error): ProxyError {
  const { variable, shown } = proxy;
  const code = connectionCode(cause);
  if (code.startsWith('HPE_')) return newNotAProxyError(proxy, cause);
  if (code === 'ECONNRESET' || cause.message === 'Socket closed')
    return new ProxyError(
      `the proxy ${shown} closed the connection`,
      proxyHint(proxy, 'check its rules and its kind'),
      cause,
    );
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return new ProxyError(
      `the proxy ${shown} does not speak TLS`,
      `write ${variable}=http://${shown} instead of https://`,
      cause,
    );
  return new ProxyError(
    `cannot reach the proxy ${shown}: ${connectionReason(cause) || code}`,
    proxyHint(proxy, 'check its address and port'),
    cause,
  );
}

/** What answers there, but not as a proxy of this kind. */
export function newNotAProxyError(proxy: ProxyChoice, cause: Error): ProxyError {
  const [kind, other] = proxy.protocol.startsWith('http') ? ['HTTP', 'socks5h://'] : ['SOCKS', 'http://'];
  return new ProxyError(
    `${proxy.shown} does not answer as ${kind === 'HTTP' ? 'an' : 'a'} ${kind} proxy`,
    proxyHint(proxy, `check its port, and whether it is rather one of ${other}`),
    cause,
  );
}

/** A proxy that wants a login, or another one. `schemes` is its proxy-authenticate header. */
export function newProxyLoginError(proxy: ProxyChoice, schemes: string | undefined): ProxyError {
  const { variable, shown, protocol, user } = proxy;
  const who = `the proxy ${shown}`;
  if (schemes !== undefined && !/\bbasic\b/i.test(schemes)) {
    const names = [...schemes.matchAll(/(?:^|,)\s*([a-z-]+)(?=\s|,|$)/gi)].map(([, name]) => name);
    const which = names.join(' or ') || 'another kind';
    return new ProxyError(
      `${who} requires a login by ${which} (HTTP 407)`,
      proxyHint(
        proxy,
        'blockglass can send a user name and password only, so run a local proxy that logs in to this one',
      ),
    );
  }
  if (user !== '')
    return new ProxyError(
      `${who} does not accept the login in ${variable}`,
      `check the user name and password in ${variable}`,
    );
  return new ProxyError(
    `${who} requires a login${protocol.startsWith('socks') ? '' : ' (HTTP 407)'}`,
    `put it in the address of the proxy: ${variable}=${protocol}//user:password@${shown}`,
  );
}
