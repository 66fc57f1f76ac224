import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { startNode } from '../../src/node/index.ts';
import { bundle } from '../flows/support/explorer.ts';

const MIB = 1024;
const GET = 'HTTP/1.1\r\nHost: 127.0.0.1:';

/** The memory of a process, in MiB. */
const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / MIB;

function opened(port: number, request: string, isRead: boolean): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  if (isRead) socket.resume();
  else socket.pause();
  socket.write(request);
  return socket;
}

describe.skipIf(process.platform !== 'linux')('the memory of the proxy', () => {
  it('stays small beside open connections, floods of requests and clients that do not read', {
    timeout: 60_000,
  }, async () => {
    const node = await startNode({});
    const proxy = spawn(process.execPath, [bundle, 'serve', '--proxy', node.url, '--port', '0'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const sockets: Socket[] = [];
    const leave = async (): Promise<void> => {
      const closed = sockets.splice(0).filter(socket => !socket.closed);
      await Promise.all(
        closed.map(socket => {
          socket.destroy();
          return once(socket, 'close');
        }),
      );
    };
    try {
      const [line] = await once(createInterface(proxy.stdout), 'line');
      const { port } = new URL(String(line));
      const pid = proxy.pid ?? 0;
      const get = (path: string): string => `GET ${path} ${GET}${port}\r\n\r\n`;
      const isServed = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/api/v2/assets`)).ok;
      await isServed();
      const before = memoryOf(pid);

      for (let index = 0; index < 500; index++) sockets.push(opened(Number(port), get('/health'), true));
      await expect.poll(isServed).toBe(true);
      const open = memoryOf(pid) - before;
      await leave();

      for (let index = 0; index < 100; index++)
        sockets.push(opened(Number(port), get('/api/v2/network/parameters').repeat(1000), false));
      await Promise.all(sockets.map(socket => once(socket, 'connect')));
      // It closes them: what it has promised to answer is what it holds.
      const connections = async (): Promise<number> => {
        const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return Number(/^blockglass_proxy_connections (\d+)$/m.exec(text)?.[1]);
      };
      await expect.poll(connections, { timeout: 10_000 }).toBeLessThan(5);
      const flooded = memoryOf(pid) - before;
      await leave();

      // Eight answers of 30 kB are under way for each, and stay there.
      for (let index = 0; index < 400; index++)
        sockets.push(opened(Number(port), get('/api/v2/network/parameters').repeat(8), false));
      await expect.poll(isServed).toBe(true);
      const unread = memoryOf(pid) - before;
      await leave();
      expect({ open: open < 40, flooded: flooded < 100, unread: unread < 150 }).toEqual({
        ...{ open: true, flooded: true, unread: true },
      });
    } finally {
      await leave();
      proxy.kill('SIGKILL');
      await node.close();
    }
  });
});
