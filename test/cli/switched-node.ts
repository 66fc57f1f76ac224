import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createClient } from '../../src/chain/api/client.ts';
import { CheckMemory } from '../../src/cli/check/check-state.ts';
import { NodeChecker } from '../../src/cli/check/checker.ts';
import { CHECK_RULES, type CheckSettings } from '../../src/cli/check/judge-check.ts';
import { startNode } from '../../src/node/index.ts';
import { listening } from '../support/loopback.ts';

export const START_MS = Date.UTC(2026, 9, 1, 12);
export const MINUTE_MS = 60_000;

/** Changes the body of an answer. */
export type Alter = (path: string, body: string) => string | Promise<string>;

export interface SwitchedNode extends AsyncDisposable {
  readonly url: string;
  /** The clock of the chain. */
  chainMs: number;
  /** Answers, resets every connection, or answers 503. */
  state: 'up' | 'gone' | 'busy';
  alter: Alter;
  readonly requests: string[];
}

/** The embedded node with a clock of its own, behind a server that can go away and change its answers. */
export async function startSwitchedNode(startMs = START_MS): Promise<SwitchedNode> {
  const chain = { ms: startMs };
  const node = await startNode({ clock: () => chain.ms, rateLimit: { ratePerSecond: 100_000, burst: 100_000 } });
  const requests: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = `${request.url}`;
    requests.push(path);
    if (shown.state === 'gone') return void response.destroy();
    if (shown.state === 'busy') return void response.writeHead(503).end('busy');
    const own = await fetch(`${node.url}${path}`);
    const body = await shown.alter(path, await own.text());
    const headers = [...own.headers].filter(([name]) => /^x-block-|^ratelimit-/.test(name));
    response.writeHead(own.status, { ...Object.fromEntries(headers), 'content-type': 'application/json' }).end(body);
  };
  const server = await listening(createServer((request, response) => void answer(request, response)));
  const shown: SwitchedNode = {
    url: server.url,
    get chainMs() {
      return chain.ms;
    },
    set chainMs(ms) {
      chain.ms = ms;
    },
    state: 'up',
    alter: (_, body) => body,
    requests,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await node.close();
    },
  };
  return shown;
}

export const SETTINGS: CheckSettings = {
  rules: CHECK_RULES.map(({ id }) => id),
  isNamed: false,
  isMine: false,
  limit: { ms: 60_000, isLive: false },
  stalledAfterMs: 3 * MINUTE_MS,
  holdMs: 0,
  bounds: [],
  severities: new Map(),
  isAccepting: false,
};

interface Checking extends Partial<CheckSettings> {
  readonly path?: string | null;
  readonly nowMs: () => number;
}

/** A checker as a new process has it. */
export function checkerOf(node: Pick<SwitchedNode, 'url'>, { path = null, nowMs, ...settings }: Checking): NodeChecker {
  return new NodeChecker({
    client: createClient({ base: new URL(node.url), random: () => 0, nowMs }),
    memory: new CheckMemory(path),
    settings: { ...SETTINGS, ...settings },
    signal: new AbortController().signal,
    timeoutMs: 30_000,
    nowMs,
  });
}
