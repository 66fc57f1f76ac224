import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type Listening, urlOf } from '../../support/loopback.ts';
import { type NetworkFault, type SoundAnswer, type Step, soundBytes } from './answer.ts';

/** Which of the answers go wrong. */
export type Strike = 'always' | 'once' | 'from the second on';

export interface FaultServer extends Listening {
  /** From now on answers go wrong in this way; undefined lets all be sound. */
  readonly fail: (fault: NetworkFault | undefined, strike: Strike) => void;
  /** Answers that have gone wrong in it so far. */
  readonly spoiled: number;
}

/** Stands before a sound node and spoils its answers on the way. */
export async function startFaultServer(node: string): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  let fault: NetworkFault | undefined;
  let strike: Strike = 'always';
  let struck = 0;
  let spoiled = 0;
  const isStruck = (): boolean => {
    struck++;
    return strike === 'always' || (strike === 'once' ? struck === 1 : struck > 1);
  };
  const server = createServer({ allowHalfOpen: false }, socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    void serve(socket).catch(() => socket.destroy());
  });
  async function serve(socket: Socket): Promise<void> {
    if (fault?.isEarly === true && isStruck()) return play(socket, fault.steps(NOTHING), closing.signal);
    for await (const path of requestsOf(socket)) {
      const sound = await soundAnswer(node, path);
      const spoils = fault !== undefined && fault.isEarly !== true && concerns(fault, path) && isStruck();
      if (spoils) spoiled++;
      await play(socket, spoils && fault !== undefined ? fault.steps(sound) : [soundBytes(sound)], closing.signal);
    }
  }
  const url = await urlOf(server);
  return {
    url,
    fail: (wanted, when) => {
      fault = wanted;
      strike = when;
      struck = 0;
      spoiled = 0;
    },
    get spoiled() {
      return spoiled;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const NOTHING: SoundAnswer = { status: 200, contentType: 'application/json', block: [], body: Buffer.from('{}') };

// An export is an archive: what bends JSON bends the segments before it.
const concerns = ({ isJson, paths }: NetworkFault, path: string): boolean =>
  paths?.test(path) ?? (isJson !== true || !path.includes('/networkhistory/export'));

/** The paths that are asked for on a connection. */
async function* requestsOf(socket: Socket): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      yield /^\w+ (\S+)/.exec(text)?.[1] ?? '/';
      text = text.slice(end + 4);
    }
  }
}

async function soundAnswer(node: string, path: string): Promise<SoundAnswer> {
  const response = await fetch(`${node}${path}`, { headers: { 'accept-encoding': 'identity' } });
  const body = Buffer.from(await response.arrayBuffer());
  const block = ['X-Block-Height', 'X-Block-Timestamp'].flatMap(name => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? 'application/json',
    block,
    body,
  };
}

async function play(socket: Socket, steps: readonly Step[], signal: AbortSignal): Promise<void> {
  for (const step of steps) {
    if (socket.destroyed) return;
    if (step === 'end') socket.end();
    else if (step === 'reset') socket.resetAndDestroy();
    else if (step === 'stall') await once(socket, 'close', { signal });
    else if (typeof step === 'string' || Buffer.isBuffer(step)) socket.write(step);
    else await wait(step.silentMs, undefined, { signal });
  }
}
