import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import type { Recorder } from '../recorder.ts';
import { explorerWithRows } from './keys.ts';

const MINUTE_MS = 60_000;

/** Nothing on the screen has to change by itself. */
const STILL = ['--times', 'clock', '--node-check', 'off'];

/** What is written, and what it costs, while nobody presses a key: from the second minute on. */
export const idle: Section = async ({ isFull }) => {
  const node = await startServer({ rows: 5000 });
  const recorders = [await explorerWithRows(node.url), await explorerWithRows(node.url, STILL)];
  const minutes = isFull ? 3 : 1;
  try {
    await wait(MINUTE_MS);
    const before = recorders.map(taken);
    await wait(minutes * MINUTE_MS);
    const [usual, still] = recorders.map((recorder, index) => {
      const { bytes = 0, cpuMs = 0 } = before[index] ?? {};
      const now = taken(recorder);
      return { bytes: (now.bytes - bytes) / minutes, cpu: ((now.cpuMs - cpuMs) / (minutes * MINUTE_MS)) * 100 };
    });
    return [
      atMost('idle', 'bytes a minute', usual?.bytes ?? Number.NaN, 300, 'bytes'),
      atMost('idle', 'processor', usual?.cpu ?? Number.NaN, 0.3, '%'),
      atMost('idle', 'bytes a minute, clock times and no check', still?.bytes ?? Number.NaN, 0, 'bytes'),
    ];
  } finally {
    for (const recorder of recorders) await recorder.close();
    node.stop();
  }
};

const taken = (recorder: Recorder) => ({ bytes: recorder.bytes, cpuMs: recorder.tree().cpuMs });
