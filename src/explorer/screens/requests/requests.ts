import type { SentRequest } from '../../../chain/api/sent-request.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { listScreen } from '../../core/list.ts';
import {
  type CopyItem,
  copyText,
  type ListScreen,
  SAVE_KEY,
  type ScreenContext,
  type Step,
} from '../../core/screen.ts';
import { open } from '../../openings.ts';
import { curlForUrl, loginHint } from '../../services/copying/equal-commands.ts';
import type { NodeState } from '../../services/node/node.ts';
import { requestLines } from './request-lines.ts';
import { type RequestLog, visibleRowCount, withNewRequests } from './state.ts';
import { drawRequests, REQUESTS_HEAD, requestsPosition } from './view.ts';

type RequestLogEvent =
  | { readonly type: 'show' | 'copy-curl' }
  | { readonly type: 'changed'; readonly version: number; readonly requests: readonly SentRequest[] };

export const requestsScreen: ListScreen<RequestLog, RequestLogEvent, null> = {
  title: 'the requests',
  needs: null,
  isOverlay: false,
  description: 'The last requests to the node, with their answers and durations',
  open: () => ({ version: -1, requests: [], row: 0, top: 0 }),
  // biome-ignore format: a table, a row a key
  keys: [
    SAVE_KEY,
    { keys: ['enter'], event: { type: 'show' }, title: 'show the whole request', group: 'Record', footer: 'details', disabledReason: noRequest },
    { keys: ['y'], event: { type: 'copy-curl' }, title: 'copy the request for curl', group: 'Record', footer: 'curl', disabledReason: noRequest },
  ],
  ...listScreen<RequestLog>({
    count: ({ requests }) => requests.length,
    height: (_, { area }) => visibleRowCount(area),
  }),
  handlers: {
    show,
    'copy-curl': copyCurl,
    changed: (log, event, { area }) => ({
      state: event.version === log.version ? log : withNewRequests(log, event, visibleRowCount(area)),
    }),
  },
  effects: ({ version }) => [
    {
      key: `after ${version}`,
      run: async (world, signal) => [{ type: 'changed', ...(await world.requests(version, signal)) }],
      failed: () => [],
      isBackground: true,
    },
  ],
  around: {
    head: () => REQUESTS_HEAD,
    place: requestsPosition,
  },
  // It waits for the next request all the time.
  waits: () => undefined,
  body: drawRequests,
  output: {
    copies,
    file: {
      saves: ({ requests }) => ({
        what: countOf(requests.length, 'request'),
        endings: ['ndjson', 'json', 'txt'],
        content: ending =>
          ending === 'json' || ending === 'ndjson' ? { kind: 'requests', form: ending, requests } : { kind: 'screen' },
      }),
      name: () => ({ parts: ['requests'] }),
    },
  },
};

function show(log: RequestLog, _: unknown, { shared }: ScreenContext): Step<RequestLog> {
  const selected = log.requests[log.row];
  if (selected === undefined) return { state: log };
  const text = requestLines(selected).join('\n');
  return {
    state: log,
    messages: [open('value', { title: 'request', text, copies: requestCopies(selected, shared.node) })],
  };
}

function copyCurl(log: RequestLog, _: unknown, { shared }: ScreenContext): Step<RequestLog> {
  const selected = log.requests[log.row];
  if (selected === undefined) return { state: log };
  const text = curlForUrl(selected.url, shared.node);
  return { state: log, messages: [{ type: 'copy', what: 'curl', content: { kind: 'text', text } }] };
}

function copies({ requests, row }: RequestLog, { shared: { node } }: ScreenContext): readonly CopyItem[] {
  const selected = requests[row];
  return selected === undefined ? [] : requestCopies(selected, node);
}

function requestCopies({ url }: SentRequest, node: NodeState): readonly CopyItem[] {
  const curl = curlForUrl(url, node);
  return [copyText(`curl${loginHint(node, curl)}`, curl), copyText('address', url)];
}

function noRequest({ requests }: RequestLog): string | undefined {
  return requests.length > 0 ? undefined : 'no request was sent yet';
}
