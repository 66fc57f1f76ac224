import { type ExactJson, exactJson } from './exact-json.ts';
import { at, idOf } from './strict-node-data.ts';
import { checkNames, type Query, Refusal, textOf } from './strict-node-query.ts';
import { type ZipEntry, zipArchive } from './zip-writer.ts';

export interface ExportOptions {
  /** How the chunks arrive: decoded, as the gateway does it (4.2 rule 4), or as the messages of 4.2 themselves. */
  readonly framing: 'zip' | 'json';
  /** The ZIP names checksum and sizes behind an entry's data, as a streaming writer does. */
  readonly sizesAfterData: boolean;
}

export interface ExportBody {
  readonly contentType: string;
  readonly chunks: readonly Buffer[];
}

export const chainId = 'strict-chain-1';
const segmentSize = 1_000;
const lastBlock = 20_000;
const chunkCount = 7;

/** From this block on, every table but blocks has another column: the schema change of 4.2 rule 8. */
const secondSchemaFrom = 10_001;

const tables = [
  ...['BALANCES', 'CHECKPOINTS', 'DELEGATIONS', 'LEDGER', 'ORDERS', 'TRADES', 'MARKET_DATA', 'MARGIN_LEVELS'],
  ...['POSITIONS', 'LIQUIDITY_PROVISIONS', 'MARKETS', 'DEPOSITS', 'WITHDRAWALS', 'BLOCKS', 'REWARDS'],
].map(name => `TABLE_${name}`);

/** The body of an export, in several chunks. */
export function exportBody(query: Query, { framing, sizesAfterData }: ExportOptions): ExportBody {
  checkNames(query, ['fromBlock', 'toBlock', 'table']);
  const table = tableOf(query);
  const range = rangeOf(query);
  const chunks = slices(zipArchive(csvFiles(table, range), sizesAfterData));
  if (framing === 'zip') return { contentType: 'application/zip', chunks };
  return { contentType: 'application/json', chunks: chunks.map(message) };
}

interface BlockRange {
  readonly from: number;
  readonly to: number;
}

function tableOf(query: Query): string {
  const table = textOf(query, 'table') ?? 'TABLE_UNSPECIFIED';
  if (!tables.includes(table)) throw new Refusal(`table: "${table}" cannot be exported`);
  return table.slice('TABLE_'.length).toLowerCase();
}

/** Both bounds on segment boundaries (4.2 rule 1), within the blocks there are. */
function rangeOf(query: Query): BlockRange {
  const [from, to] = [heightOf(query, 'fromBlock'), heightOf(query, 'toBlock')];
  if (from > to) throw new Refusal(`fromBlock ${from} is after toBlock ${to}`);
  if (from % segmentSize !== 1) throw new Refusal(`fromBlock ${from} is not the first block of a segment`);
  if (to % segmentSize !== 0) throw new Refusal(`toBlock ${to} is not the last block of a segment`);
  if (to > lastBlock) throw new Refusal(`toBlock ${to} is after the last block, ${lastBlock}`);
  return { from, to };
}

function heightOf(query: Query, name: string): number {
  const text = textOf(query, name) ?? '';
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal(`${name}: "${text}" is not a block height`);
  return Number(text);
}

/** One CSV, or two named with their schema version where the range spans the change (4.2 rules 8 and 9). */
function csvFiles(table: string, { from, to }: BlockRange): readonly ZipEntry[] {
  if (table === 'blocks') {
    return [{ name: `${chainId}-${table}-${from}-${to}.csv`, text: csv({ from, to }, blocksColumns, blockRow) }];
  }
  if (from >= secondSchemaFrom || to < secondSchemaFrom) {
    return [{ name: `${chainId}-${table}-${from}-${to}.csv`, text: tableCsv({ from, to }) }];
  }
  return [
    { from, to: secondSchemaFrom - 1, version: 1 },
    { from: secondSchemaFrom, to, version: 2 },
  ].map(part => ({
    name: `${chainId}-${table}-${part.version}-${part.from}-${part.to}.csv`,
    text: tableCsv(part),
  }));
}

const blocksColumns = 'vega_time,height,hash';

function tableCsv(range: BlockRange): string {
  const columns = range.from < secondSchemaFrom ? 'vega_time,id,note' : 'vega_time,id,memo';
  return csv(range, columns, height => (height % 10 === 0 ? tableRow(height) : undefined));
}

function csv({ from, to }: BlockRange, columns: string, rowAt: (height: number) => string | undefined): string {
  const lines = [columns];
  for (let height = from; height <= to; height += 1) {
    const row = rowAt(height);
    if (row !== undefined) lines.push(row);
  }
  return `${lines.join('\n')}\n`;
}

function blockRow(height: number): string {
  return `${timeOf(height)},${height},\\x${idOf(`block-${height}`)}`;
}

/** Everything 4.2 rule 5 writes in a way of its own; the last two are NULL and the empty string. */
const notes = ['plain', '"a, comma"', '"a ""quote"""', '"two\r\nlines"', '"\u001b[31mred\n"', '', '""'];

function tableRow(height: number): string {
  return `${timeOf(height)},${idOf(`row-${height}`)},${at(notes, height / 10)}`;
}

function timeOf(height: number): string {
  return `${new Date(1_700_000_000_000 + height * 1_000).toISOString().slice(0, 19).replace('T', ' ')}+00`;
}

function slices(archive: Buffer): readonly Buffer[] {
  const size = Math.ceil(archive.length / chunkCount);
  return Array.from({ length: chunkCount }, (_, index) => archive.subarray(index * size, (index + 1) * size));
}

/** One message of the response stream; only the first has the extensions (4.2). */
function message(data: Buffer, index: number): Buffer {
  const extensions: ExactJson = [{ '@type': 'type.googleapis.com/google.protobuf.Empty' }];
  const result = {
    contentType: 'application/zip',
    data: data.toString('base64'),
    extensions: index === 0 ? extensions : undefined,
  };
  return Buffer.from(`${exactJson({ result })}\n`);
}
