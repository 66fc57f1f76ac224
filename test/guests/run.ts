/**
 * Starts a real SSH server for guests on loopback, as docs/guides/guests.md says, and tries it with the OpenSSH client.
 *
 *   npm run guests                                    # ways out, and every flow of the explorer
 *   npm run guests -- --load --guests 50 --minutes 10 # memory and key latency
 *   npm run guests -- --handshakes 10000              # connections that stop half-way
 */
import { parseArgs } from 'node:util';
import { startNode } from '../../src/node/index.ts';
import { startRefusing } from '../flows/support/refusing.ts';
import { DOOR, STOPPED } from './door.ts';
import { flowsOf } from './flows.ts';
import { tryHandshakes } from './handshakes.ts';
import { tryLoad } from './load.ts';
import { nginxBefore } from './nginx.ts';
import { Report } from './report.ts';
import { startGuestServer } from './server.ts';
import { openGuest } from './ssh.ts';

const { values } = parseArgs({
  options: {
    load: { type: 'boolean', default: false },
    guests: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '10' },
    handshakes: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
// The server of an interrupted run ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
const report = new Report();
const node = await startNode({});
const counted = await startRefusing(node.url, 0);
const front = await nginxBefore(counted.url);
try {
  if (values.load)
    await tryLoad(report, front.url, {
      guests: Number(values.guests),
      minutes: Number(values.minutes),
      asked: counted.asked,
    });
  if (values.handshakes !== undefined) await tryHandshakes(report, front.url, Number(values.handshakes));
  if (!values.load && values.handshakes === undefined) await tryAll();
} finally {
  await front[Symbol.asyncDispose]();
  await counted[Symbol.asyncDispose]();
  await node.close();
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed > 0 ? 1 : 0);

async function tryAll(): Promise<void> {
  const isWanted = ([what]: readonly [string, ...unknown[]]): boolean => what.includes(values.only);
  const server = await startGuestServer({ node: front.url });
  try {
    for (const check of DOOR.filter(isWanted)) await report.try(check, server);
    const flows = flowsOf(await someMarket()).filter(isWanted);
    for (const flow of flows) {
      const guest = await openGuest(server);
      await report.try(flow, guest);
      await guest.close();
    }
  } finally {
    await server.close();
  }
  if (!isWanted(STOPPED)) return;
  const idle = await startGuestServer({ node: front.url, words: ['--idle-minutes', '1'] });
  await report.try(STOPPED, idle).finally(() => idle.close());
}

async function someMarket(): Promise<string> {
  const answer = await (await fetch(`${front.url}/api/v2/markets?pagination.first=50`)).text();
  const id = /"id":\s*"([0-9a-f]{64})"/.exec(answer)?.[1];
  if (id === undefined) throw new Error('the node lists no market');
  return id;
}
