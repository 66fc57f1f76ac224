/**
 * Makes sound exports of one gigabyte of CSV, runs an audit of them with the built program, and prints how long it took and
 * the most memory it held. Linux only: memory is read from /proc.
 *
 *   npm run build && node bench/audit-exports.ts [MEGABYTES]
 */
import { spawn } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsAtVersion } from '../src/tables/columns.ts';
import { stamp, writeArchive } from './ledger-archive.ts';

const MEGABYTES = Number(process.argv[2] ?? 1000);
const ACCOUNTS = 50_000;
const ROWS_A_BLOCK = 30;
/** Of a ledger row and the two balance rows that follow from it. */
const BYTES_A_MOVE = 700;
const BLOCKS = Math.ceil((MEGABYTES * 1e6) / BYTES_A_MOVE / ROWS_A_BLOCK);

const hex = (text: string): string => `\\x${createHash('sha256').update(text).digest('hex')}`;
const accounts = Array.from({ length: ACCOUNTS }, (_, index) => hex(`account ${index}`));
const EXTERNAL = hex('external');
const OPENING = 10n ** 24n;

interface Move {
  readonly from: number;
  readonly to: number;
  readonly quantity: bigint;
}

/** The same moves for both tables. */
function movesIn(block: number): readonly Move[] {
  return Array.from({ length: ROWS_A_BLOCK }, (_, index) => {
    const seed = (block * 2_654_435_761 + index * 40_503) % 2 ** 32;
    return { from: seed % ACCOUNTS, to: (seed * 31 + 7) % ACCOUNTS, quantity: BigInt(seed) * 1_000_003n };
  });
}

const timeUs = (block: number): number => Date.UTC(2026, 0, 1) * 1000 + block * 1_700_003;

function* inParts(table: string, lines: Iterable<string>): Generator<string> {
  let text = `${columnsAtVersion(table, 93)?.join(',')}\n`;
  for (const line of lines) {
    text += line;
    if (text.length < 1e6) continue;
    yield text;
    text = '';
  }
  yield text;
}

function* ledgerLines(): Generator<string> {
  const line = (
    block: number,
    index: number,
    [from, to, quantity, type]: readonly [string, string, bigint, string],
  ) => {
    const time = stamp(timeUs(block));
    return `${stamp(timeUs(block) + index)},${from},${to},${quantity},${hex(`tx ${block}`)},${time},${time},1,1,TRANSFER_TYPE_${type},\\x\n`;
  };
  for (const [index, account] of accounts.entries())
    yield line(1, index, [EXTERNAL, account, OPENING, 'CHECKPOINT_BALANCE_RESTORE']);
  for (let block = 2; block <= BLOCKS; block++)
    for (const [index, { from, to, quantity }] of movesIn(block).entries())
      yield line(block, index, [accounts[from] ?? '', accounts[to] ?? '', quantity, 'MTM_LOSS']);
}

function* balanceLines(): Generator<string> {
  const held = accounts.map(() => OPENING);
  const line = (block: number, index: number): string =>
    `${accounts[index]},${stamp(timeUs(block))},${hex(`tx ${block}`)},${held[index]}\n`;
  for (const index of accounts.keys()) yield line(1, index);
  for (let block = 2; block <= BLOCKS; block++) {
    const changed = new Set<number>();
    for (const { from, to, quantity } of movesIn(block)) {
      held[from] = (held[from] ?? 0n) - quantity;
      held[to] = (held[to] ?? 0n) + quantity;
      changed.add(from).add(to);
    }
    for (const index of changed) yield line(block, index);
  }
}

function* blockLines(): Generator<string> {
  for (let block = 1; block <= BLOCKS; block++)
    yield `${stamp(timeUs(block))},${block},\\x${randomInt(2 ** 40)
      .toString(16)
      .padStart(12, '0')}\n`;
}

const folder = await mkdtemp(join(tmpdir(), 'audit-'));
try {
  const range = `000001-${String(BLOCKS).padStart(6, '0')}`;
  const tables = {
    ledger: ledgerLines(),
    balances: balanceLines(),
    blocks: blockLines(),
    deposits: [],
    withdrawals: [],
  };
  for (const [table, lines] of Object.entries(tables))
    await writeArchive(
      join(folder, `bench-chain-1-${table}-${range}.zip`),
      `bench-chain-1-${table}-093-${range}.csv`,
      inParts(table, lines),
    );
  const beganMs = performance.now();
  const child = spawn(process.execPath, ['dist/start.js', 'audit', folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let mostKiB = 0;
  const watching = setInterval(() => {
    const status = `/proc/${child.pid}/status`;
    const text = existsSync(status) ? readFileSync(status, 'utf8') : '';
    mostKiB = Math.max(mostKiB, Number(/^VmHWM:\s*(\d+)/m.exec(text)?.[1] ?? 0));
  }, 100);
  await once(child, 'exit');
  clearInterval(watching);
  console.log(said.split('\n').slice(0, 4).join('\n'));
  console.log(
    `${MEGABYTES} MB of CSV: ${((performance.now() - beganMs) / 1000).toFixed(1)} s, ${Math.round(mostKiB / 1024)} MiB`,
  );
} finally {
  await rm(folder, { recursive: true });
}
