import type { SentRequest } from '../../../chain/api/sent-request.ts';
import type { NodeState } from '../../services/node/node.ts';

/** `200`, `cancelled`, `timeout`: its status where an answer came; `200 error` of one that cannot be read. */
export function requestStatus({ status, outcome }: SentRequest): string {
  if (outcome.kind === 'cancelled') return 'cancelled';
  if (status === null) return outcome.kind === 'failed' ? outcome.error : '';
  if (outcome.kind === 'streaming') return `${status} ...`;
  return outcome.kind === 'failed' && status < 300 ? `${status} error` : String(status);
}

/** Path and query of a request in readable form; the whole address if it went to another node. */
export function requestPath({ url }: SentRequest, { address }: NodeState): string {
  const path = address !== '' && url.startsWith(`${address}/`) ? url.slice(address.length + 1) : url;
  const [place = '', query] = path.replace(/^api\/v2\//, '').split('?');
  return query === undefined ? place : `${place}?${query.split('&').map(decoded).join('&')}`;
}

/** All that is known of a request, a line each. */
export function requestLines(facts: SentRequest): readonly string[] {
  const { url, sentAtMs, outcome, elapsedMs, wireBytes, bodyBytes, attempt, budgetLeft } = facts;
  const [, query = ''] = url.split('?');
  return [
    `GET ${url}`,
    ...query.split('&').flatMap(part => (part === '' ? [] : [`  ${decoded(part)}`])),
    '',
    `sent      ${new Date(sentAtMs).toISOString()}`,
    `status    ${requestStatus(facts)}`,
    ...(outcome.kind === 'failed' ? [`problem   ${outcome.message}`] : []),
    `took      ${elapsedMs} ms${outcome.kind === 'streaming' ? ' to the header; the rest is coming' : ''}`,
    `received  ${bytesText(wireBytes, ' with the header')}`,
    `body      ${bytesText(bodyBytes, ' unpacked')}`,
    `attempt   ${attempt}`,
    `left      ${budgetLeft === null ? 'not reported' : `${budgetLeft} requests, reported by the node`}`,
  ];
}

const bytesText = (bytes: number | null, as: string): string => (bytes === null ? 'not known' : `${bytes} bytes${as}`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
