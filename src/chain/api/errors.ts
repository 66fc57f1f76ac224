import { isJsonArray, isJsonObject, type Json, type JsonObject, jsonText, member } from './json.ts';

/** One class for each case in which a user can act differently. The message gives the error, `hint` the next step. */
export abstract class NodeError extends Error {
  abstract readonly kind: string;
  readonly hint: string;
  readonly url: string;

  constructor(message: string, at: { readonly url: string; readonly hint: string; readonly cause?: unknown }) {
    super(message, { cause: at.cause });
    this.name = new.target.name;
    this.url = at.url;
    this.hint = at.hint;
  }
}

/** No connection, or a lost one. */
export class NetworkError extends NodeError {
  readonly kind = 'network';
}

/** A phase of the request took longer than its limit. */
export class TimeoutError extends NodeError {
  readonly kind = 'timeout';
}

/** The limit was reached before there was a connection. */
export class ConnectTimeoutError extends TimeoutError {}

/** The answer is not one of this interface: not JSON, another shape, too large. */
export class UndecodableError extends NodeError {
  readonly kind = 'undecodable';
}

/** An answer that was cut short or damaged on the way. A retry may help. */
export class DamagedAnswerError extends UndecodableError {}

/** An answer whose encoding does not match its Content-Encoding. Requested without compression it may be whole. */
export class WrongEncodingError extends DamagedAnswerError {}

/** A web page instead of an answer: some proxies send one with status 200 for unknown paths. */
export class WebPageError extends UndecodableError {}

/** The node, or a proxy in front of it, answered with an error status. */
export class RefusedError extends NodeError {
  readonly kind = 'refused';
  readonly status: number;
  readonly fault: NodeFault;

  constructor(status: number, fault: NodeFault, at: { readonly url: string; readonly hint: string }) {
    super(`HTTP ${status}: ${fault.message}`, at);
    this.status = status;
    this.fault = fault;
  }
}

/** The page exceeds the node's own message limit. A smaller page may work. */
export class PageTooLargeError extends RefusedError {}

/** The status that a snapshot returns for data in no snapshot. */
const NEVER_RECORDED = 501;

/** A snapshot that stands for a node does not have this: its sentence is the whole message. */
export class NotInSnapshotError extends RefusedError {
  override readonly message: string;

  /** `place` is the snapshot and its node, which was not asked. */
  constructor({ status, fault: { message } }: RefusedError, place: string) {
    const hint =
      status === NEVER_RECORDED ? 'leave --at out to ask the node' : 'another time, from blockglass record list';
    super(status, { message, details: [] }, { url: place, hint });
    this.message = message;
  }
}

/** The node does not serve this list: an older release, or switched off by its operator. */
export class MissingListError extends RefusedError {
  override readonly message: string;

  /** `what` is the noun for the rows of the list: `markets`. */
  constructor(what: string, { status, fault, url }: RefusedError) {
    super(status, fault, { url, hint: 'other lists may work; if none does, check the address of the node' });
    this.message = `this node has no list of ${what} (HTTP ${status})`;
  }
}

/** The node does not list the segments of its history: an older release, or a gateway that serves only lists. */
export class MissingHistoryError extends RefusedError {
  override readonly message: string;

  constructor({ status, fault, url }: RefusedError) {
    super(status, fault, {
      url,
      hint: 'use a node with network history; export still works here with --from and --to if it serves exports',
    });
    this.message = `this node does not list its history segments (HTTP ${status})`;
  }
}

/** The node lists these rows only with a filter. Its own reply is in `reply`. */
export class MissingFilterError extends RefusedError {
  override readonly message: string;
  readonly reply: string;

  constructor(message: string, hint: string, { status, fault, url, message: reply }: RefusedError) {
    super(status, fault, { url, hint });
    this.message = message;
    this.reply = reply;
  }
}

/**
 * Whether the node does not have the operation at all, whatever form its refusal has. A request for one record may also be
 * refused for that record: then `isNoSuchRecord` decides.
 */
export const isNotServed = (error: unknown): error is RefusedError =>
  error instanceof RefusedError &&
  (NEVER_SERVED.has(error.status) || error.fault.code === UNIMPLEMENTED || NO_OPERATION.test(error.fault.message));

const NEVER_SERVED: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/** The gRPC code of an operation that a server does not have. */
const UNIMPLEMENTED = 12;

/** Gateways also report this with other status codes. */
const NO_OPERATION =
  /\b(?:unknown|unsupported|no such|unimplemented) (?:method|service|operation|endpoint|route|path)\b|\bnot implemented\b/i;

/** Whether the node has the operation and only lacks the requested record: it adds a detail of its own (node-behaviour.md section 1.3). */
export const isNoSuchRecord = (error: unknown): boolean =>
  error instanceof RefusedError &&
  error.status === 404 &&
  error.fault.details.some(({ type }) => type === 'vega.ErrorDetail');

/** Too many requests. None is sent before `retryAtMs` (Unix milliseconds). */
export class RateLimitedError extends NodeError {
  readonly kind = 'rate-limited';
  readonly retryAtMs: number;

  constructor(message: string, at: { readonly url: string; readonly retryAtMs: number }) {
    super(message, {
      url: at.url,
      hint: 'wait; the node counts all its users together and bans those who continue',
    });
    this.retryAtMs = at.retryAtMs;
  }
}

/** The error object of the interface: the node's code, message and every detail (node-behaviour.md section 1.3). */
export interface NodeFault {
  readonly code?: number;
  readonly message: string;
  readonly details: readonly FaultDetail[];
}

interface FaultDetail {
  /** Last part of `@type`, such as `vega.ErrorDetail`. */
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly inner: string;
  /** All other members, as the node sent them. */
  readonly rest: JsonObject;
}

/** Reads `{code,message,details}` and `{error:{...}}`; undefined when the value is neither. */
export function readFault(body: Json): NodeFault | undefined {
  const fault = isJsonObject(member(body, 'error')) ? member(body, 'error') : body;
  if (!isJsonObject(fault) || (fault.message === undefined && fault.code === undefined)) return undefined;
  const code = Number(jsonText(fault.code));
  const details = isJsonArray(fault.details) ? fault.details.map(readDetail) : [];
  return {
    ...(Number.isInteger(code) && fault.code !== undefined && { code }),
    message: jsonText(fault.message) || 'no message',
    details,
  };
}

/** A fault as lines, the most useful first: `failed to get X: inner (code 10028)`. */
export function faultLines(fault: NodeFault): readonly string[] {
  const details = fault.details.map(detail => {
    const text = [detail.message, detail.inner].filter(part => part !== '').join(': ');
    const rest = Object.keys(detail.rest).length > 0 ? ` ${jsonText(detail.rest)}` : '';
    return `${text || detail.type}${detail.code === '' ? '' : ` (code ${detail.code})`}${rest}`;
  });
  const code = fault.code === undefined ? '' : ` (code ${fault.code})`;
  return [...details, `${fault.message}${code}`];
}

/** What happened, with the node's own reason where the message does not have it. */
export function errorSentence(error: NodeError): string {
  const hasDetails = error instanceof RefusedError && error.fault.details.length > 0;
  const [detail] = hasDetails ? faultLines(error.fault) : [];
  return detail === undefined || error.message.includes(detail) ? error.message : `${error.message}: ${detail}`;
}

/**
 * A gateway that answers, and has no connection to what should: the core, or the data node behind a proxy. Its message is of
 * its own transport (node-behaviour.md section 10).
 */
export const isBackendUnavailable = (error: unknown): error is RefusedError =>
  error instanceof RefusedError &&
  error.status >= 500 &&
  (error.fault.code === UNAVAILABLE || TRANSPORT.test(error.fault.message));

/** The code of gRPC. */
const UNAVAILABLE = 14;

const TRANSPORT = /\btransport: |\bdial (?:tcp|unix)\b|\bcode = Unavailable\b|connection refused/;

/** The same as `errorSentence`, for a line next to others, where a transport error would mean nothing. */
export const shortErrorSentence = (error: NodeError): string =>
  isBackendUnavailable(error) ? `the node has no connection to it (HTTP ${error.status})` : errorSentence(error);

/** A node that no connection can be made to. */
export const CANNOT_REACH = 'cannot reach the node';

/** The same as a finding, without repeating the phrase. */
export const unreachableSentence = (why: string): string =>
  `the node cannot be reached: ${why.startsWith(`${CANNOT_REACH}: `) ? why.slice(CANNOT_REACH.length + 2) : why}`;

function readDetail(detail: Json): FaultDetail {
  if (!isJsonObject(detail)) return { type: '', code: '', message: jsonText(detail), inner: '', rest: {} };
  const { '@type': type, code, message, inner, ...rest } = detail;
  return {
    type: jsonText(type).replace(/^.*\//, ''),
    code: jsonText(code),
    message: jsonText(message),
    inner: jsonText(inner),
    rest,
  };
}
