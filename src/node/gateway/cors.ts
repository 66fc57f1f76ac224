import type { IncomingMessage } from 'node:http';

type Headers = readonly (readonly [name: string, value: string])[];

const ALLOWED_METHODS: readonly string[] = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const MAX_AGE_SECONDS = 7200;

/** The request that a browser sends before the actual one. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

/**
 * The CORS headers of deployed nodes (node-behaviour.md section 2), with one difference: they allow every origin, this
 * node only pages from the same machine.
 */
export function corsHeaders(incoming: IncomingMessage): Headers {
  return isPreflight(incoming) ? preflightHeaders(incoming) : answerHeaders(incoming);
}

function answerHeaders({ headers: { origin } }: IncomingMessage): Headers {
  if (origin === undefined || !isLocal(origin)) return [['Vary', 'Origin']];
  return [
    ['Vary', 'Origin'],
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Expose-Headers', '*'],
  ];
}

function preflightHeaders({ headers }: IncomingMessage): Headers {
  const vary: Headers = [
    ['Vary', 'Origin'],
    ['Vary', 'Access-Control-Request-Method'],
    ['Vary', 'Access-Control-Request-Headers'],
  ];
  const { origin } = headers;
  const method = headers['access-control-request-method']?.toUpperCase() ?? '';
  if (origin === undefined || !isLocal(origin) || !ALLOWED_METHODS.includes(method)) return vary;
  const requested = headers['access-control-request-headers'];
  return [
    ...vary,
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Methods', ALLOWED_METHODS.join(', ')],
    ...(requested === undefined ? [] : [['Access-Control-Allow-Headers', requested] as const]),
    ['Access-Control-Max-Age', String(MAX_AGE_SECONDS)],
  ];
}

const isLocal = (origin: string): boolean => /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/.test(origin);
