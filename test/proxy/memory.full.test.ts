import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { bundle } from '../flows/support/explorer.ts';

const MIB = 1024;
const LARGE_ANSWER = 4 * 1024 * 1024;
const PARAMETERS = '/api/v2/network/parameters';
/** Of the unit in docs/guests/glass-proxy.service: without a limit, V8 takes its time to collect what floods leave. */
const UNIT_FLAGS = ['--max-old-space-size=256', '--max-semi-space-size=4'];

class ProxyProcess {
  readonly #child;
  readonly #sockets: Socket[] = [];
  #port = 0;
  #mibBefore = 0;

  constructor(nodeUrl: string, flags: readonly string[]) {
    const words = [...flags, bundle, 'serve', '--proxy', nodeUrl, '--port', '0'];
    this.#child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  }

  async start(): Promise<void> {
    const [line] = await once(createInterface(this.#child.stdout), 'line');
    this.#port = Number(new URL(String(line)).port);
    await this.isServed();
    this.#mibBefore = this.#mib();
  }

  /** Opens connections that each send the same request a number of times. */
  async open(count: number, { path, times, isRead }: Requests): Promise<void> {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n\r\n`.repeat(times);
    const opened = Array.from({ length: count }, () => {
      const socket = connect(this.#port, '127.0.0.1');
      socket.on('error', () => {});
      if (isRead) socket.resume();
      else socket.pause();
      socket.write(request);
      return socket;
    });
    this.#sockets.push(...opened);
    await Promise.all(opened.map(socket => once(socket, 'connect')));
    await expect.poll(() => this.isServed(), { timeout: 30_000 }).toBe(true);
  }

  async isServed(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}${PARAMETERS}`);
    return (await answer.bytes()).byteLength > 0 && answer.ok;
  }

  async connections(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${this.#port}/metrics`)).text();
    return Number(/^blockglass_proxy_connections (\d+)$/m.exec(text)?.[1]);
  }

  async leave(): Promise<void> {
    const open = this.#sockets.splice(0).filter(socket => !socket.closed);
    for (const socket of open) socket.destroy();
    await Promise.all(open.filter(socket => !socket.closed).map(socket => once(socket, 'close')));
  }

  /** What its memory has grown by since it started, in MiB. */
  grown(): number {
    return this.#mib() - this.#mibBefore;
  }

  async end(): Promise<void> {
    await this.leave();
    this.#child.kill('SIGKILL');
  }

  #mib(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / MIB;
  }
}

interface Requests {
  readonly path: string;
  readonly times: number;
  readonly isRead: boolean;
}

describe.skipIf(process.platform !== 'linux')('the memory of the proxy', { timeout: 180_000 }, () => {
  let node: RunningNode;
  let proxy: ProxyProcess;
  beforeEach(async () => {
    node = await startNode({});
  });
  afterEach(async () => {
    await proxy.end();
    await node.close();
  });
  const start = async (flags: readonly string[] = []): Promise<void> => {
    proxy = new ProxyProcess(node.url, flags);
    await proxy.start();
  };

  it('stays small beside 500 open connections', async () => {
    await start();
    await proxy.open(500, { path: '/health', times: 1, isRead: true });
    expect(proxy.grown()).toBeLessThan(40);
  });

  it('holds an answer once, however many clients do not read it', async () => {
    const large = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ text: 'x'.repeat(LARGE_ANSWER) }));
    });
    await once(large.listen(0, '127.0.0.1'), 'listening');
    const address = large.address();
    try {
      proxy = new ProxyProcess(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, []);
      await proxy.start();
      // 160 answers of 4 MiB, each larger than what the system takes from the proxy.
      await proxy.open(20, { path: PARAMETERS, times: 8, isRead: false });
      expect(proxy.grown()).toBeLessThan(150);
    } finally {
      await proxy.end();
      large.close();
    }
  });

  it('lives through floods of pipelined requests with the flags of its unit', async () => {
    await start(UNIT_FLAGS);
    for (let round = 0; round < 5; round++) {
      await proxy.open(100, { path: PARAMETERS, times: 1000, isRead: false });
      await expect.poll(() => proxy.connections(), { timeout: 30_000 }).toBeLessThan(5);
      expect(proxy.grown()).toBeLessThan(512);
      await proxy.leave();
    }
  });
});
