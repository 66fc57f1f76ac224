import type { ScreenCondition, Terminal } from '../support/terminal.ts';
import type { Check } from './report.ts';

/** Keys, and what the screen shows then. A line that starts with a colon goes to the command line. */
type Step = readonly [keys: string, shown: ScreenCondition];

const ENTER = '\r';
const ESCAPE = '\u001b';
const DOWN = '\u001b[B';
const PAGE_DOWN = '\u001b[6~';
const HOME = '\u001b[H';
const END = '\u001b[F';
const INTERRUPT = '\u0003';

const TITLES = [
  'Parameters',
  'Provisions',
  'Paid fees',
  'Signer bundles',
  'Oracle specs',
  'Markets',
  'Validators',
  'Export',
];

const REFUSED: readonly Step[] = [
  [':at yesterday', 'snapshots are files'],
  [':view /etc/passwd', 'no file is read or written'],
  [':save x.csv', 'no file is read or written'],
  [':status', 'this session shows one node'],
  [':node http://127.0.0.1:1', 'this session shows one node'],
  ['N', 'this session shows one node'],
  ['D', 'snapshots are files'],
  [',', 'snapshots are files'],
  ['.', 'snapshots are files'],
];

/** Every flow of the explorer once, typed as a guest would. */
export const flowsOf = (market: string): readonly Check<Terminal>[] => [
  flow('every tab', [
    ...TITLES.map((title, index): Step => [String(index + 1), `[${index + 1} ${title}]`]),
    ['0', '[Home]'],
    ['\t', '[Params]'],
    ['\u001b[Z', '[Home]'],
  ]),
  flow('a list: rows, pages, both ends', [
    ['1', /^> +ethereumConfig/m],
    [DOWN, /^> +ethereumRpc/m],
    [PAGE_DOWN, without(/^> +ethereumRpc/m)],
    [END, /-172 of 172/],
    [HOME, /^ 1-\d+ of 172/m],
  ]),
  flow('a record: values, fields as sent', [
    ['1', /^> +ethereumConfig/m],
    [ENTER, 'network parameter  blockchains.ethereumConfig'],
    [END, 'Fields as sent'],
    [ESCAPE, without('Fields as sent')],
  ]),
  flow('find in a list', [
    ['1', rows('Parameters')],
    ['/', 'find in the loaded rows:'],
    ['fee', 'find in the loaded rows: fee'],
    [ENTER, /13 of 172 rows .*find "fee".*enter inspect/s],
    ['n', /^> +makerFee/m],
    [ESCAPE, without('find "fee"')],
  ]),
  flow('filter by what the node can filter', [
    [`:fees market=${market}`, rows('Paid fees')],
    ['x', 'live: current'],
  ]),
  flow('sort', [
    ['1', rows('Parameters')],
    ['s', 'Sort the loaded rows by'],
    [ENTER, 'rows, sorted by key'],
  ]),
  flow('count the values of a column', [
    ['6', rows('Markets')],
    [':freq STATE', /ACTIVE.*%/],
    [ESCAPE, rows('Markets')],
  ]),
  flow('the statement of a market', [[`:statement ${market}`, /statement.*epoch/is]]),
  flow('what a value is, and there', [
    [':what Gannet', 'name of a validator'],
    [ENTER, '[7 Validators]'],
  ]),
  flow('what a pasted id is, and there', [
    [`:${market}`, 'Enter goes there'],
    [ENTER, without('Enter goes there')],
  ]),
  flow('help, and a key run from it', [
    ['1', rows('Parameters')],
    ['?', 'type / to filter, Enter runs'],
    ['/', 'filter'],
    ['sort', /sort/],
    [ENTER, /sort/],
  ]),
  flow('overview and attention', [
    ['0', 'Needs attention'],
    ['r', 'looked at'],
    [ENTER, without('Needs attention')],
    ['0', 'Needs attention'],
  ]),
  flow('the log of requests, one whole, and as curl', [
    ['L', 'newest first'],
    [ENTER, 'unpacked'],
    [ESCAPE, without('unpacked')],
    ['y', /curl.*(?:copied|clipboard|terminal)|(?:copied|clipboard|terminal).*curl/i],
  ]),
  flow('copy a key', [
    ['1', rows('Parameters')],
    ['y', /^ Copy$/m],
    [ENTER, /copied|sent to the terminal|clipboard/i],
  ]),
  flow('completion in the command line', [
    [':', 'Commands'],
    ['valid\t', /: validators/],
    [ENTER, rows('Validators')],
  ]),
  flow('a command with a mistake says what is wrong', [[':provisions market=x', 'market must be a market ID']]),
  flow('a provision and what it means', [
    [`:provisions market=${market}`, rows('Provisions')],
    [ENTER, without('enter inspect')],
    [ESCAPE, rows('Provisions')],
  ]),
  ...(['Paid fees', 'Signer bundles', 'Oracle specs', 'Markets', 'Validators'] as const).map(title =>
    flow(`a record of ${title}, and back`, [
      [String(TITLES.indexOf(title) + 1), rows(title)],
      [ENTER, without('enter inspect')],
      [ESCAPE, 'enter inspect'],
    ]),
  ),
  flow('load again, and draw again', [
    ['7', rows('Validators')],
    ['r', rows('Validators')],
    ['\u000c', rows('Validators')],
  ]),
  flow('the export wizard shows the equal command', [
    ['8', 'step 1 of 4'],
    [ENTER, 'step 2 of 4'],
    [ENTER, 'step 3 of 4'],
    [ENTER, 'step 4 of 4'],
    [END, 'blockglass export'],
    [ENTER, 'not for guests'],
  ]),
  flow('mine lasts for the session', [
    ['7', rows('Validators')],
    ['M', 'is yours now'],
    ['1', rows('Parameters')],
    ['7', 'Ashgrove, you'],
    ['M', without('Ashgrove, you')],
  ]),
  ...REFUSED.map(([keys, shown]) => flow(`not for guests, and says so: ${keys}`, [[keys, shown]])),
  flow('versions of a record: not for guests', [
    ['1', rows('Parameters')],
    [ENTER, 'network parameter'],
    ['v', 'not for guests'],
  ]),
];

/** A step is waited for so long: the machine may be busy. */
const PATIENCE = { deadlineMs: 20_000 };

/** A list that is open, with rows. */
const rows =
  (title: string): ScreenCondition =>
  screen =>
    screen.includes(`[${TITLES.indexOf(title) + 1} ${title}]`) &&
    /^> +\S/m.test(screen) &&
    screen.includes('enter inspect');

const without =
  (text: string | RegExp): ScreenCondition =>
  screen =>
    typeof text === 'string' ? !screen.includes(text) : !text.test(screen);

function flow(what: string, steps: readonly Step[]): Check<Terminal> {
  return [
    `flow: ${what}`,
    async guest => {
      for (const [keys, shown] of steps) {
        if (keys.startsWith(':') && keys.length > 1) await command(guest, keys.slice(1));
        else guest.send(keys);
        await guest.waitFor(shown, PATIENCE);
      }
      guest.send(INTERRUPT);
      const { exitCode } = await guest.waitForExit(PATIENCE);
      return exitCode === 130;
    },
  ];
}

async function command(guest: Terminal, line: string): Promise<void> {
  guest.send(':');
  await guest.waitFor('Commands', PATIENCE);
  guest.send(`\u001b[200~${line}\u001b[201~`);
  await guest.waitFor(
    screen => screen.includes(`: ${line.slice(0, 20)}`) || screen.includes(line.slice(-12)),
    PATIENCE,
  );
  guest.send(ENTER);
}
