import type { IncomingHttpHeaders } from 'node:http';
import {
  type NodeError,
  type NodeFault,
  RateLimitedError,
  RefusedError,
  readFault,
  UndecodableError,
} from './errors.ts';
import { type Json, NestingError, parseJson } from './json.ts';
import type { RateBudget } from './rate-budget.ts';
import { banSeconds } from './reply.ts';

/** Exact JSON of a body. Throws UndecodableError that names what came instead. */
export function decodeBody(url: string, text: string): Json {
  try {
    return parseJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof NestingError)
      throw new UndecodableError(`the answer cannot be read: ${error.message}`, {
        url,
        hint: 'no record of a node is like that: try another node',
        cause: error,
      });
    throw new UndecodableError(`the answer is ${nameOf(text)}, not JSON`, {
      url,
      hint: 'is this the REST address of a data node? a proxy or a web page may stand before it',
    });
  }
}

/** The error that an answer stands for, or undefined when it is none. Tells the budget when the node had enough. */
export function refusal(
  url: string,
  answer: { readonly status: number; readonly headers: IncomingHttpHeaders },
  text: string,
  budget: RateBudget,
): NodeError | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const json = tryJson(text);
  const fault = (json === undefined ? undefined : readFault(json)) ?? proxyFault(answer, text);
  const isTooLarge = /received message larger than max/.test(fault.message);
  const bannedS = answer.status === 403 ? banSeconds(answer.headers) : undefined;
  if ((answer.status === 429 && !isTooLarge) || bannedS !== undefined) {
    const retryAtMs = budget.refused(bannedS === undefined ? undefined : bannedS * 1000);
    return new RateLimitedError(`HTTP ${answer.status}: ${fault.message}`, { url, retryAtMs });
  }
  return new RefusedError(answer.status, fault, {
    url,
    hint: isTooLarge ? 'ask for a smaller page' : hintFor(answer.status),
  });
}

function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function proxyFault(
  answer: { readonly status: number; readonly headers: IncomingHttpHeaders },
  text: string,
): NodeFault {
  const location = answer.headers.location;
  if (location !== undefined) return { message: `redirected to ${location}`, details: [] };
  return { message: `the body is ${nameOf(text)}`, details: [] };
}

function nameOf(text: string): string {
  const title = /<title[^>]*>([^<]{1,120})/i.exec(text)?.[1]?.trim();
  if (/^\s*(<!doctype html|<html)/i.test(text))
    return title === undefined ? 'an HTML page' : `an HTML page titled "${title}"`;
  if (text.trim() === '') return 'empty';
  if (/^\s*[{[]/.test(text)) return 'broken or cut-off JSON';
  return `"${text.trim().slice(0, 60)}"`;
}

function hintFor(status: number): string {
  if (status >= 300 && status < 400)
    return 'blockglass asks only the node you named: name the other address with --node';
  if (status === 401 || status === 403)
    return 'the node, or a proxy before it, wants credentials; put them in the address';
  if (status === 404) return 'the node does not have this; check that the address is the REST root of a v2 data node';
  if (status === 501) return 'this node does not offer the operation';
  if (status === 400) return 'the node will not take what was asked for: check the filters or the range';
  if (status >= 502 && status <= 504)
    return 'the node is not reachable behind its proxy, or is starting; try again later';
  return 'try again; if it stays, the node has a problem';
}
