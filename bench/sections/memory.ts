import { setTimeout as wait } from 'node:timers/promises';
import { atMost, type Section } from '../figure.ts';
import { startServer } from '../node-process.ts';
import { explorerWithRows } from './keys.ts';

const MIB = 2 ** 20;

export const memory: Section = async ({ isFull }) => {
  const node = await startServer({ rows: 5000 });
  const recorder = await explorerWithRows(node.url);
  const scroll = async (seconds: number): Promise<number> => {
    const until = performance.now() + seconds * 1000;
    for (let press = 0; performance.now() < until; press++) {
      recorder.send(press % 400 < 200 ? '\u001b[6~' : '\u001b[5~');
      await wait(33);
    }
    await recorder.quiet(300);
    return recorder.tree().rssBytes / MIB;
  };
  try {
    const after = await scroll(isFull ? 60 : 5);
    const later = await scroll(isFull ? 600 : 5);
    return [
      atMost('memory', `after ${isFull ? 60 : 5} s of scrolling 5,000 rows`, after, 150, 'MiB'),
      atMost('memory', `growth in ${isFull ? '10 min' : '5 s'} more`, Math.max(0, later - after), 10, 'MiB'),
    ];
  } finally {
    await recorder.close();
    node.stop();
  }
};
