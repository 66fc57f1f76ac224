import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, median, ratioTo, type Section } from '../figure.ts';
import { environment, HOME, isInstalled, PROGRAM, timed } from '../programs.ts';
import { Recorder } from '../recorder.ts';

export const start: Section = async ({ rounds }) => {
  const floor: number[] = [];
  const times = {
    version: [] as number[],
    help: [] as number[],
    frame: [] as number[],
    ink: [] as number[],
    rows: [] as number[],
    visidata: [] as number[],
  };
  const csv = join(HOME, 'parameters.csv');
  writeFileSync(csv, parametersCsv());
  await warmUp();
  for (let round = 0; round < rounds * 2; round++) {
    floor.push(timed(process.execPath, ['-e', '0']));
    times.version.push(timed(process.execPath, [PROGRAM, '--version']));
    times.help.push(timed(process.execPath, [PROGRAM, '--help']));
    const { frame, ink, rows } = await startTimes();
    times.frame.push(frame);
    times.ink.push(ink);
    times.rows.push(rows);
    if (isInstalled('vd')) times.visidata.push(await visidataTime(csv));
  }
  const node = { peer: 'node -e 0', peerValue: median(floor), unit: 'ms' };
  const against = (what: string, values: readonly number[], limit: number): Figure =>
    ratioTo('start', what, { ...node, value: median(values), limit });
  return [
    against('--version', times.version, 2.5),
    against('--help', times.help, 2.5),
    against('first frame on screen', times.frame, 1.5),
    against("Ink's first full frame", times.ink, 3.5),
    ratioTo('start', 'rows of the embedded node', {
      value: median(times.rows),
      peer: 'visidata',
      peerValue: times.visidata.length > 0 ? median(times.visidata) : undefined,
      limit: 0.8,
      unit: 'ms',
    }),
  ];
};

/** Compiled code is kept by the first runs, a second after their start or at their end. */
async function warmUp(): Promise<void> {
  for (let start = 0; start < 3; start++) {
    timed(process.execPath, [PROGRAM, '--version']);
    timed(process.execPath, [PROGRAM, '--help']);
    const recorder = new Recorder({ command: process.execPath, args: [PROGRAM, '--demo'], env: environment() });
    await recorder.reached('governance');
    await recorder.quiet(1500);
    recorder.send('q');
    await recorder.ended();
  }
}

async function startTimes() {
  const recorder = new Recorder({ command: process.execPath, args: [PROGRAM, '--demo'], env: environment() });
  const [frame, ink, rows] = await Promise.all([
    recorder.reached('blockglass'),
    // The first frame is on the screen before Ink is loaded; Ink's own comes second.
    recorder.reached('blockglass', 2),
    recorder.reached('governance'),
  ]);
  await recorder.close();
  return { frame, ink, rows };
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
