import type { NodeErrorDetail, ReportedError, Verdict } from './verdict.ts';

/** A real error has only a few. */
const MAX_ERROR_DETAILS = 20;
/** Possible starts of an error to try, from the end. Each is parsed to the end of the text. */
const MAX_ERROR_STARTS = 64;
const ERROR_START = /\{\s{0,16}"(?:error|code|message|details)"/g;

/** Decodes both shapes of a node error: `{"error":{code,message,details}}` and `{code,message,details}`. Undefined otherwise. */
export function decodeNodeError(text: string): ReportedError | undefined {
  const outer = parseOrUndefined(text);
  if (!isObject(outer)) return undefined;
  const error = isObject(outer.error) ? outer.error : outer;
  const { code, message, details } = error;
  if (typeof code !== 'number' || typeof message !== 'string') return undefined;
  return {
    code,
    message,
    details: Array.isArray(details) ? details.slice(0, MAX_ERROR_DETAILS).map(decodeDetail) : [],
  };
}

/** Finds a node error at the very end of `tail`, and its offset in `tail`. */
export function findErrorAtEnd(tail: Buffer): { error: ReportedError; from: number } | undefined {
  const text = tail.toString('latin1');
  if (!text.trimEnd().endsWith('}')) return undefined;
  const starts = [...text.matchAll(ERROR_START)].slice(-MAX_ERROR_STARTS);
  for (const { index: from } of starts) {
    const error = decodeNodeError(tail.toString('utf8', from));
    if (error) return { error, from };
  }
  return undefined;
}

/** The generic message of a node, followed by its details, which have the useful text. */
export function nodeErrorText(error: ReportedError): string {
  const details = error.details.flatMap(detail => [detail.message, detail.inner]).filter(text => text !== '');
  return [`${error.message} (code ${error.code})`, ...details].join(': ');
}

/** The node error of a verdict as lines, the most useful first; empty when there is none. */
export function nodeErrorLines(verdict: Verdict): readonly string[] {
  if (!('nodeError' in verdict) || verdict.nodeError === undefined) return [];
  const { code, message, details } = verdict.nodeError;
  const lines = details.map(detail => {
    const text = [detail.message, detail.inner].filter(part => part !== '').join(': ');
    return `${text || detail.type}${detail.code === '' ? '' : ` (code ${detail.code})`}`;
  });
  return [...lines.filter(line => line !== ''), `${message} (code ${code})`];
}

function decodeDetail(detail: unknown): NodeErrorDetail {
  const members: Readonly<Record<string, unknown>> = isObject(detail) ? detail : {};
  return {
    type: textOrEmpty(members['@type']),
    code: textOrEmpty(members.code),
    message: textOrEmpty(members.message),
    inner: textOrEmpty(members.inner),
    json: jsonOf(detail),
  };
}

/** Empty when the value is nested too deeply to print. */
function jsonOf(detail: unknown): string {
  try {
    return JSON.stringify(detail);
  } catch {
    return '';
  }
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
