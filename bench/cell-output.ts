// node bench/cell-output.ts [frames]: proves the cell output equal to the terminal without it, and measures it.
import { CellScreen } from '../src/explorer/terminal/output/cell-screen.ts';
import { runFrames, runSlowly } from '../test/explorer/terminal/output/run.ts';

const FRAMES_A_RUN = 250;
const COLUMNS = 120;
const ROWS = 40;
const BODY_ROWS = 34;

function proveEqual(frames: number): void {
  const kinds = [
    { name: 'random frames', run: (seed: number) => runFrames(seed, FRAMES_A_RUN), share: 0.7 },
    { name: 'with new sizes', run: (seed: number) => runFrames(seed, FRAMES_A_RUN, 0.05), share: 0.1 },
    { name: 'slow terminal', run: (seed: number) => runSlowly(seed, FRAMES_A_RUN), share: 0.1 },
    { name: 'slow, new sizes', run: (seed: number) => runSlowly(seed, FRAMES_A_RUN, 0.02), share: 0.1 },
  ];
  for (const [index, { name, run, share }] of kinds.entries()) {
    const runs = Math.ceil((frames * share) / FRAMES_A_RUN);
    const differences: string[] = [];
    let [charactersIn, charactersOut] = [0, 0];
    const startMs = performance.now();
    for (let seed = 0; seed < runs; seed++) {
      const result = run((index + 1) * 1_000_000 + seed);
      differences.push(...result.differences);
      charactersIn += result.charactersIn;
      charactersOut += result.charactersOut;
    }
    const seconds = (performance.now() - startMs) / 1_000;
    const saved = (100 * (1 - charactersOut / charactersIn)).toFixed(0);
    console.log(
      `${name.padEnd(16)} ${runs * FRAMES_A_RUN} frames, ${differences.length} differences, ${saved} % of the bytes saved, ${((runs * FRAMES_A_RUN) / seconds).toFixed(0)} frames/s with both emulators`,
    );
    for (const found of differences.slice(0, 3)) console.log(`  ${found}`);
    if (differences.length > 0) process.exitCode = 1;
  }
}

function measureTable(): void {
  const screen = new TableScreen();
  screen.draw(0, 0);
  const inPage = screen.bytesOf(BODY_ROWS - 2, row => screen.draw(row, 0));
  const scrolling = screen.bytesOf(2_000, step => screen.draw(BODY_ROWS - 2 + step, step));
  const paging = screen.bytesOf(100, page => screen.draw(page * BODY_ROWS, page * BODY_ROWS));
  const fullBytes = screen.bytesOf(1, () => screen.repaint());
  console.log(`row down in a page  ${figures(inPage)}  (goal: at most 60 bytes)`);
  console.log(`row down, scrolling ${figures(scrolling)}  (goal: at most 240 bytes)`);
  console.log(`page down           ${figures(paging)}  (goal: at most 5200 bytes)`);
  console.log(`full repaint        ${figures(fullBytes)}`);
}

interface Costs {
  readonly bytes: readonly number[];
  readonly ms: readonly number[];
}

function figures({ bytes, ms }: Costs): string {
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return `median ${median(bytes)} bytes, most ${Math.max(...bytes)}, median ${median(ms).toFixed(3)} ms a frame`;
}

/** The table of the explorer, written line by line as Ink writes it. */
class TableScreen {
  #bytes = 0;
  readonly #screen = new CellScreen({ write: text => this.#count(text) }, SIZE, {
    canScroll: true,
    canSynchronize: true,
  });
  #lines: readonly string[] = [];
  #elapsedMs = 0;

  constructor() {
    this.#screen.write('\u001b[?1049h\u001b[?25l');
  }

  /** The bytes and the time in the cell output of every step. */
  bytesOf(steps: number, step: (index: number) => void): Costs {
    const bytes: number[] = [];
    const ms: number[] = [];
    for (let index = 1; index <= steps; index++) {
      this.#bytes = 0;
      step(index);
      bytes.push(this.#bytes);
      ms.push(this.#elapsedMs);
    }
    return { bytes, ms };
  }

  draw(selected: number, top: number): void {
    const body = Array.from({ length: BODY_ROWS }, (_, row) => tableRow(top + row, top + row === selected));
    const lines = [...HEAD, ...body, ...FOOT];
    const text = lines.map((line, row) => (line === this.#lines[row] ? '' : `\u001b[G\u001b[K${line}`)).join('\n');
    this.#lines = lines;
    this.#time(() => this.#screen.write(`\u001b[${ROWS - 1}A\u001b[G${text}`));
  }

  repaint(): void {
    this.#time(() => this.#screen.repaint());
  }

  #time(work: () => void): void {
    const startMs = performance.now();
    work();
    this.#elapsedMs = performance.now() - startMs;
  }

  // The terminal driver puts a carriage return before every line feed.
  #count(text: string): boolean {
    this.#bytes += Buffer.byteLength(text) + text.split('\n').length - 1;
    return true;
  }
}

const SIZE = { columns: COLUMNS, rows: ROWS };
const HEAD = [
  ' \u001b[1mblockglass\u001b[0m  \u001b[36mdemo\u001b[0m  demo-chain',
  '\u001b[1;36m[\u001b[0m1 Markets\u001b[1;36m]\u001b[0m 2 Provisions  3 Fees  4 Oracles',
  ' \u001b[2mmarket \u001b[0m\u001b[2many\u001b[0m',
  '  \u001b[1mid                market            party                     amount             fee  updated\u001b[0m',
];
const FOOT = [
  `\u001b[2m${'─'.repeat(COLUMNS)}\u001b[0m`,
  ` rows 1-5000   \u001b[1mj\u001b[0m down  \u001b[1mk\u001b[0m up`,
];

function tableRow(index: number, isSelected: boolean): string {
  const id = shortId(index * 7 + 1);
  const mark = isSelected ? '>' : ' ';
  const first = isSelected ? `\u001b[1;36m${id}\u001b[0m` : id;
  const gutter = isSelected ? `\u001b[1;36m${mark}\u001b[0m ` : '  ';
  const amount = String(hash(index) * 977).padStart(20);
  const fee = `0.00${hash(index + 3) % 1_000}`.padStart(12);
  const time = new Date(1_700_000_000_000 + (hash(index) % 1e9) * 1_000).toISOString().slice(0, 19);
  return `${gutter}${first}  ${shortId(hash(index))}  ${shortId(hash(index + 1))}  ${amount}  ${fee}  ${time}`;
}

const hash = (value: number): number => Math.imul(value ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
const shortId = (value: number): string =>
  `${hash(value).toString(16).padStart(8, '0')}..${hash(value + 9)
    .toString(16)
    .padStart(6, '0')
    .slice(0, 6)}`;

proveEqual(Number(process.argv[2] ?? 100_000));
measureTable();
