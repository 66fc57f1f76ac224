import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, ratioTo, type Section } from '../figure.ts';
import { environment, HOME, isInstalled, PROGRAM, timed } from '../programs.ts';
import { Recorder } from '../recorder.ts';

export const start: Section = async ({ rounds, once }) => {
  const csv = join(HOME, 'parameters.csv');
  writeFileSync(csv, parametersCsv());
  await warmUp();
  const times: Awaited<ReturnType<typeof oneOfEach>>[] = [];
  for (let round = 0; round < rounds * 2; round++) times.push(await once(() => oneOfEach(csv)));
  const medianOf = (what: keyof (typeof times)[number]) => median(times.map(round => round[what]));
  const node = { peer: 'node -e 0', peerValue: medianOf('floor'), unit: 'ms' };
  return [
    ratioTo('start', '--version', { ...node, value: medianOf('version'), limit: 2.5 }),
    ratioTo('start', '--help', { ...node, value: medianOf('help'), limit: 2.5 }),
    ratioTo('start', "Ink's first full frame", { ...node, value: medianOf('ink'), limit: 4.5 }),
    ratioTo('start', 'rows of the embedded node', {
      value: medianOf('rows'),
      peer: 'visidata',
      peerValue: isInstalled('vd') ? medianOf('visidata') : undefined,
      limit: 0.9,
      unit: 'ms',
    }),
  ];
};

async function oneOfEach(csv: string) {
  return {
    floor: timed(process.execPath, ['-e', '0']),
    version: timed(process.execPath, [PROGRAM, '--version']),
    help: timed(process.execPath, [PROGRAM, '--help']),
    ...(await startTimes()),
    visidata: isInstalled('vd') ? await visidataTime(csv) : Number.NaN,
  };
}

/** Compiled code is kept when the first run ends. */
async function warmUp(): Promise<void> {
  for (let start = 0; start < 2; start++) {
    const recorder = new Recorder({ command: process.execPath, args: [PROGRAM, '--demo'], env: environment() });
    await recorder.reached('governance');
    await recorder.quiet();
    recorder.send('q');
    await recorder.ended();
  }
}

async function startTimes() {
  const recorder = new Recorder({ command: process.execPath, args: [PROGRAM, '--demo'], env: environment() });
  const [ink, rows] = await Promise.all([recorder.reached('blockglass'), recorder.reached('governance')]);
  await recorder.close();
  return { ink, rows };
}

async function visidataTime(csv: string): Promise<number> {
  const recorder = new Recorder({ command: 'vd', args: [csv], env: environment() });
  const time = await recorder.reached('governance');
  await recorder.close();
  return time;
}

function parametersCsv(): string {
  return `key,value\n${Array.from({ length: 172 }, (_, index) => `governance.proposal.${index}.requiredMajority,0.66`).join('\n')}\n`;
}
