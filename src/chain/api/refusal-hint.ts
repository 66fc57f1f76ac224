import { proxyHint } from './client-proxy-error.ts';
import { hideLogin } from './login.ts';
import type { OpenBody } from './transport.ts';

/** The header of an answer, and the known details of its route. */
export type AnswerHead = Pick<OpenBody, 'status' | 'headers'> & Partial<Pick<OpenBody, 'proxy' | 'hasLogin'>>;

interface Refused {
  readonly url: string;
  readonly text: string;
  /** Whether the body is an error of the interface, which no proxy sends. */
  readonly isNodes: boolean;
}

/** The hint after an answer that is not a 2xx. It mentions the proxy, the network or the node only if the answer does. */
export function refusalHint(answer: AnswerHead, refused: Refused): string {
  const { status, proxy } = answer;
  if (refused.isNodes) return ofNode(answer);
  if (status === 511) return 'this network wants you to sign in first: open any page in a web browser';
  const own = ofTls(answer, refused.text) ?? ofRedirect(answer, refused.url);
  if (own !== undefined) return own;
  // Only the server at the end asks for a login by 401; a page of any other status may be the proxy's own.
  if (proxy !== undefined && status !== 401)
    return `the proxy ${proxy.shown} may have answered instead of the node. ${proxyHint(proxy, 'check its rules')}`;
  return ofServer(answer, refused.text) ?? ofNode(answer);
}

/** The reports of nginx, Go, Apache and Tomcat in plain HTTP when TLS is missing. */
const WANTS_TLS = /HTTP request (?:was )?(?:sent )?to (?:an )?HTTPS|plain HTTP to an SSL|requires TLS/i;
const WANTS_CERTIFICATE = /No required SSL certificate|SSL certificate error|client certificate/i;

function ofTls({ status }: AnswerHead, text: string): string | undefined {
  if (status === 400 && WANTS_TLS.test(text)) return 'this port speaks TLS: try https:// instead of http://';
  if ([400, 403, 495, 496].includes(status) && WANTS_CERTIFICATE.test(text))
    return 'the node requires a client certificate, which blockglass cannot send: use an address without it, or a local proxy that sends one';
  return undefined;
}

function ofRedirect({ status, headers: { location } }: AnswerHead, url: string): string | undefined {
  if (status < 300 || status >= 400 || location === undefined || !URL.canParse(location, url)) return undefined;
  const [from, to] = [new URL(url), new URL(location, url)];
  const path = from.pathname.slice(Math.max(0, from.pathname.indexOf('/api/v2/')));
  if (to.href === from.href) return 'the address redirects to itself: the proxy in front of the node has a problem';
  if (!to.pathname.endsWith(path))
    return 'redirects are not followed, and this one leads to another page, such as a login: open it in a web browser, or check the address';
  return `redirects are not followed: use --node ${hideLogin(to.origin + to.pathname.slice(0, -path.length))}`;
}

function ofServer({ status, headers, hasLogin = false }: AnswerHead, text: string): string | undefined {
  if (status === 407)
    return 'a proxy between this machine and the node requires a login: set HTTP_PROXY=http://user:password@host:port if it is yours';
  if (status === 426 || status === 505 || /expected `?h2/.test(text))
    return 'this port speaks another version of HTTP: a data node usually serves REST on 3008';
  if (status === 401 && hasLogin) return 'the login in the address is not accepted: check its user name and password';
  const schemes = headers['www-authenticate'];
  if (status === 401 && schemes !== undefined && !/\bbasic\b/i.test(schemes))
    return `it requires a login by ${/^[a-z-]*/i.exec(schemes)?.[0] ?? ''}, and blockglass can send a user name and password only`;
  if (status === 403 && schemes === undefined)
    return 'a server in front of the node denies this and offers no login: use another address of this node, or ask its operator';
  return undefined;
}

function ofNode({ status }: AnswerHead): string {
  if (status >= 300 && status < 400) return 'redirects are not followed: pass the other address with --node';
  if (status === 401 || status === 403)
    return 'the node or its proxy requires a login. Put the login in the address (https://user:password@host).';
  if (status === 404) return 'the node does not have this: check that the address is the REST root of a v2 data node';
  if (status === 421) return 'the server does not answer for this host name: check the address and its port';
  if (status === 501) return 'this node does not offer the operation';
  if (status === 400) return 'the node rejected the request: check the filters or the range';
  if (status >= 502 && status <= 504) return 'the node is starting, or its proxy cannot reach it: try again later';
  return 'try again; if it keeps failing, the node has a problem';
}
