import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { explorerWithRows } from './keys.ts';

export const idle: Section = async ({ isFull }) => {
  const node = await startServer({ rows: 5000 });
  const recorder = await explorerWithRows(node.url);
  const seconds = isFull ? 120 : 60;
  try {
    // Eight seconds after the last frame V8 collects what it left: 40 ms, once.
    await wait(isFull ? 2000 : 10_000);
    const before = { bytes: recorder.bytes, cpuMs: recorder.tree().cpuMs };
    await wait(seconds * 1000);
    const cpuShare = ((recorder.tree().cpuMs - before.cpuMs) / (seconds * 1000)) * 100;
    return [
      atMost('idle', `bytes in ${seconds} s`, recorder.bytes - before.bytes, 0, 'bytes'),
      atMost('idle', `processor in ${seconds} s`, cpuShare, 0.2, '%'),
    ];
  } finally {
    await recorder.close();
    node.stop();
  }
};
