import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { newProxyLoginError, proxyHint } from './client-proxy-error.ts';
import {
  DamagedAnswerError,
  NetworkError,
  type NodeError,
  type NodeFault,
  PageTooLargeError,
  RateLimitedError,
  RefusedError,
  readFault,
  UndecodableError,
  WebPageError,
} from './errors.ts';
import { isJsonObject, type Json, NestingError, parseJson } from './json.ts';
import { hideLogin } from './login.ts';
import type { ProxyChoice } from './proxy-choice.ts';
import type { RateBudget } from './rate-budget.ts';
import { type AnswerHead, refusalHint } from './refusal-hint.ts';
import { banSeconds, retryAfterMs } from './reply.ts';

/** Decodes a body as exact JSON. Throws UndecodableError, which describes the actual body. */
export function decodeBody(url: string, body: Uint8Array, proxy?: ProxyChoice): Json {
  const text = bodyText(body);
  const isUtf16 = body.length > 1 && (body[0] === 0 || body[1] === 0 || body[0] === 0xff || body[0] === 0xfe);
  if (isUtf16 || !isUtf8(body)) {
    throw new UndecodableError(`the answer is ${isUtf16 ? 'UTF-16' : 'not UTF-8: some of its text cannot be read'}`, {
      url,
      hint: 'a proxy may have changed it: try another address of this node',
    });
  }
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NestingError)
      throw new UndecodableError(`the answer cannot be read: ${error.message}`, {
        url,
        hint: 'data nodes do not send such records: try another node',
        cause: error,
      });
    if (isJsonLike(text))
      throw new DamagedAnswerError('the answer is broken or cut-off JSON', {
        url,
        hint: 'failed twice: the node or its proxy has a problem',
      });
    throw new (isWebPage(text) ? WebPageError : UndecodableError)(`the answer is ${describeBody(text)}, not JSON`, {
      url,
      hint:
        proxy === undefined
          ? 'check that this is the REST address of a data node, and that no proxy or login page answers instead'
          : `the proxy ${proxy.shown} may have answered instead of the node. ${proxyHint(proxy)}`,
    });
  }
}

/** The error of an answer that is not a 2xx, or undefined. Updates the budget on 429 and bans (node-behaviour.md section 2). */
export function readStatusError(
  url: string,
  answer: AnswerHead,
  body: Uint8Array,
  budget: RateBudget,
): NodeError | undefined {
  const { status, headers, proxy } = answer;
  if (status >= 200 && status < 300) return undefined;
  if (status === 407 && proxy !== undefined) {
    const { message, hint } = newProxyLoginError(proxy, headers['proxy-authenticate']);
    return new NetworkError(message, { url, hint });
  }
  const text = bodyText(body);
  const own = nodeFault(text);
  const fault = own ?? proxyFault(answer, text);
  if (/received message larger than max/.test(fault.message))
    return new PageTooLargeError(status, fault, { url, hint: 'ask for a smaller page' });
  const bannedS = status === 403 ? banSeconds(headers) : undefined;
  // A proxy may drop the header of a ban, but not its code.
  const isBan = bannedS !== undefined || (status === 403 && fault.code === BANNED);
  if (status !== 429 && !isBan)
    return new RefusedError(status, fault, {
      url,
      hint: refusalHint(answer, { url, text, isNodes: own !== undefined }),
    });
  const saidMs = retryAfterMs(headers, Date.now());
  const isLengthUnknown = isBan && bannedS === undefined && saidMs === undefined;
  const banMs = bannedS === undefined ? (saidMs ?? UNKNOWN_BAN_S * 1000) : bannedS * 1000;
  const retryAtMs = budget.refused(isBan ? banMs : saidMs);
  const unknownLength = isLengthUnknown ? '; duration not reported' : '';
  return new RateLimitedError(`HTTP ${status}: ${fault.message}${unknownLength}`, { url, retryAtMs });
}

/** The gRPC code of a ban. */
const BANNED = 7;

/** Pause after a ban of unknown length. The default ban is ten minutes, and requests do not extend it. */
const UNKNOWN_BAN_S = 60;

function nodeFault(text: string): NodeFault | undefined {
  try {
    return readFault(parseJson(text));
  } catch {
    return undefined;
  }
}

const bodyText = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    .toString('utf8')
    .replace(/^\ufeff/, '');

function proxyFault(
  answer: { readonly status: number; readonly headers: IncomingHttpHeaders },
  text: string,
): NodeFault {
  const location = answer.headers.location;
  if (location !== undefined) return { message: `redirected to ${hideLogin(location)}`, details: [] };
  const message = ownError(text) ?? `the body is ${describeBody(text)}`;
  return { message: answer.status === 429 ? `too many requests (${message})` : message, details: [] };
}

/** The message in a proxy's own JSON. */
function ownError(text: string): string | undefined {
  try {
    const json = parseJson(text);
    if (!isJsonObject(json)) return undefined;
    return typeof json.error === 'string' && json.error !== ''
      ? json.error
      : 'the body is JSON that a data node does not send';
  } catch {
    return undefined;
  }
}

function describeBody(text: string): string {
  const title = /<title[^>]*>([^<]{1,120})/i.exec(text)?.[1]?.trim();
  if (isWebPage(text)) return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`;
  if (text.trim() === '') return 'empty';
  if (isJsonLike(text)) return 'broken or cut-off JSON';
  return `"${text.trim().slice(0, 60)}"`;
}

const isWebPage = (text: string): boolean => /^\s*(<!doctype html|<html)/i.test(text);

const isJsonLike = (text: string): boolean => /^\s*[{[]/.test(text);
