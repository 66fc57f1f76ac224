import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { crc32, createDeflateRaw } from 'node:zlib';
import { columnsAtVersion } from '../src/tables/columns.ts';

const ROWS_A_BLOCK = 30;
const ACCOUNTS = 5000;
const TYPES = ['MTM_LOSS', 'MTM_WIN', 'MARGIN_LOW', 'MAKER_FEE_PAY', 'REWARD_PAYOUT', 'TRANSFER_FUNDS_SEND'];

/** An export of a ledger with so many million bytes of CSV: the rows of a block share its hash, as those of a node do. */
export const makeLedgerArchive = (path: string, csvMegabytes: number, slice = 0): Promise<void> =>
  writeArchive(path, csvName(slice), ledgerText(csvMegabytes * 1e6, slice));

/** Slices of a hundred thousand blocks, each in weeks of its own. */
const csvName = (slice: number): string =>
  `bench-chain-1-ledger-093-${[slice * 100_000 + 1, (slice + 1) * 100_000].map(height => String(height).padStart(6, '0')).join('-')}.csv`;

/** Writes an archive of one CSV as it comes. */
export async function writeArchive(path: string, csv: string, texts: Iterable<string>): Promise<void> {
  const name = Buffer.from(csv);
  const file = createWriteStream(path);
  file.write(record([[4, 0x04034b50], [2, 20], [2, 8], [2, 8], ...zeros(4), [2, name.length], [2, 0]], name));
  const deflate = createDeflateRaw({ level: 6 });
  let packedBytes = 0;
  deflate.on('data', (chunk: Buffer) => {
    packedBytes += chunk.length;
    if (!file.write(chunk)) {
      deflate.pause();
      file.once('drain', () => deflate.resume());
    }
  });
  let [crc, bytes] = [0, 0];
  for (const text of texts) {
    const chunk = Buffer.from(text);
    crc = crc32(chunk, crc);
    bytes += chunk.length;
    if (!deflate.write(chunk)) await once(deflate, 'drain');
  }
  deflate.end();
  await once(deflate, 'end');
  const found: Fields = [
    [4, crc],
    [4, packedBytes],
    [4, bytes],
  ];
  file.write(record([[4, 0x08074b50], ...found]));
  const head: Fields = [[4, 0x02014b50], [2, 20], [2, 20], [2, 8], [2, 8], [4, 0], ...found, [2, name.length], [2, 0]];
  const central = record([...head, [2, 0], [2, 0], [2, 0], [4, 0], [4, 0]], name);
  file.write(central);
  const offset = 30 + name.length + packedBytes + 16;
  const counts: Fields = [
    [2, 0],
    [2, 0],
    [2, 1],
    [2, 1],
  ];
  file.end(record([[4, 0x06054b50], ...counts, [4, central.length], [4, offset], [2, 0]]));
  await once(file, 'close');
}

function* ledgerText(leastBytes: number, slice: number): Generator<string> {
  const accounts = Array.from({ length: ACCOUNTS }, () => bytea());
  const account = () => accounts[randomInt(ACCOUNTS)];
  let text = `${columnsAtVersion('ledger', 93)?.join(',')}\n`;
  let timeUs = Date.UTC(2026, 9, 1 + 14 * slice) * 1000;
  for (let told = 0; told < leastBytes; ) {
    timeUs += 1_500_000 + randomInt(500_000);
    const [hash, blockTime] = [bytea(), stamp(timeUs)];
    for (let index = 0; index < ROWS_A_BLOCK; index++) {
      const [quantity, to] = [randomInt(2 ** 40), randomInt(2 ** 47)];
      const from = `${randomInt(2 ** 40)}${String(randomInt(2 ** 30)).padStart(10, '0')}`;
      text += `${stamp(timeUs + index)},${account()},${account()},${quantity},${hash},${blockTime},${blockTime},${from},${to},TRANSFER_TYPE_${TYPES[randomInt(TYPES.length)]},\\x\n`;
    }
    if (text.length < 1e6) continue;
    yield text;
    told += text.length;
    text = '';
  }
}

const bytea = (): string => `\\x${randomBytes(32).toString('hex')}`;

/** As PostgreSQL writes it, without zeros at its end. */
export function stamp(timeUs: number): string {
  const seconds = new Date(timeUs / 1000).toISOString().slice(0, 19).replace('T', ' ');
  const fraction = String(timeUs % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}+00`;
}

type Fields = readonly (readonly [width: 2 | 4, value: number])[];

const zeros = (count: number): Fields => Array.from({ length: count }, () => [4, 0]);

function record(fields: Fields, ...tail: readonly Buffer[]): Buffer {
  const parts = fields.map(([width, value]) => {
    const part = Buffer.alloc(width);
    part.writeUIntLE(value, 0, width);
    return part;
  });
  return Buffer.concat([...parts, ...tail]);
}
