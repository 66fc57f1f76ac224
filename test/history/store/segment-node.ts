import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Client, createClient } from '../../../src/chain/api/client.ts';
import { baseAddress } from '../../../src/chain/api/request.ts';
import { columnsAtVersion } from '../../../src/tables/columns.ts';
import { listening } from '../../support/loopback.ts';
import { blocksCsv } from '../check/samples.ts';
import { zipOf } from '../check/zip-bytes.ts';

export interface NodeSegment {
  readonly from: number;
  readonly to: number;
  readonly id: string;
  readonly previous: string;
  readonly version: number;
}

/** Neighbouring segments of ten blocks, whose ids begin with `history`. */
export const segmentsOfTen = (count: number, history = 'Qm', firstSegment = 0): NodeSegment[] =>
  Array.from({ length: count }, (_, offset) => {
    const index = firstSegment + offset;
    return {
      ...{ from: index * 10 + 1, to: index * 10 + 10, id: `${history}${index}`, version: 93 },
      previous: index === 0 ? '' : `${history}${index - 1}`,
    };
  });

/** Neighbouring segments of a thousand blocks. */
export const segmentsOfThousand = (count: number, firstSegment = 0): NodeSegment[] =>
  segmentsOfTen(count, 'Qm', firstSegment).map(segment => ({
    ...segment,
    ...{ from: (segment.to - 10) * 100 + 1, to: segment.to * 100 },
  }));

/** What a node serves; a test changes it while it runs. */
export interface SegmentNode {
  chainId: string;
  /** Null: its core does not answer. */
  genesisTime: string | null;
  /** Null: it lists none. */
  segments: readonly NodeSegment[] | null;
  /** Its network parameters. */
  readonly parameters: (readonly [key: string, value: string])[];
  /** Answers an export instead of the node, when it returns true. */
  onExport: (
    response: ServerResponse,
    asked: { readonly table: string; readonly from: number; readonly to: number },
  ) => boolean;
  /** Exports that were asked for: `blocks 1-10`. */
  readonly asked: string[];
  readonly url: string;
  readonly client: Client;
}

/** A node of chain `c` that exports a row for each block, and other tables without rows. */
export async function segmentNode(segments: readonly NodeSegment[] | null): Promise<SegmentNode> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://node');
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (pathname.endsWith('/segments') && node.segments !== null)
      return json(200, { segments: node.segments.map(segment => listedSegment(segment, node.chainId)).toReversed() });
    if (pathname === '/statistics' && node.genesisTime !== null)
      return json(200, { statistics: { chainId: node.chainId, genesisTime: node.genesisTime, blockHeight: '1000' } });
    if (pathname.endsWith('/network/parameters'))
      return json(200, {
        networkParameters: {
          edges: node.parameters.map(([key, value]) => ({ node: { key, value }, cursor: key })),
          pageInfo: { hasNextPage: false },
        },
      });
    if (!pathname.endsWith('/export')) return json(501, { code: 12, message: 'Not Implemented', details: [] });
    const table = (searchParams.get('table') ?? '').replace('TABLE_', '').toLowerCase();
    const [from, to] = [Number(searchParams.get('fromBlock')), Number(searchParams.get('toBlock'))];
    node.asked.push(`${table} ${from}-${to}`);
    if (node.onExport(response, { table, from, to })) return;
    const runs = runsIn(node.segments, from, to);
    if (runs === undefined)
      return json(400, {
        error: {
          ...{ code: 3, message: 'InvalidArgument error' },
          details: [{ message: 'could not to get contiguous history segments', inner: `heights ${from} to ${to}` }],
        },
      });
    response.writeHead(200, { 'content-type': 'application/zip' });
    response.end(
      zipOf(
        runs.map(run => ({
          name: `${node.chainId}-${table}-${String(run.version).padStart(3, '0')}-${padded(run.from)}-${padded(run.to)}.csv`,
          content:
            table === 'blocks' ? blocksCsv(run.from, run.to) : `${columnsAtVersion(table, run.version)?.join(',')}\n`,
        })),
      ),
    );
  });
  const listener = await listening(server);
  onTestFinished(() => listener[Symbol.asyncDispose]());
  const node: SegmentNode = {
    ...{
      chainId: 'c',
      genesisTime: '2026-01-01T00:00:00Z',
      segments,
      parameters: [],
      onExport: () => false,
      asked: [],
      url: listener.url,
    },
    client: createClient({ base: baseAddress(listener.url) }),
  };
  return node;
}

const padded = (height: number): string => String(height).padStart(6, '0');

const listedSegment = ({ from, to, id, previous, version }: NodeSegment, chainId: string) => ({
  ...{ fromHeight: String(from), toHeight: String(to), historySegmentId: id, previousHistorySegmentId: previous },
  ...{ databaseVersion: String(version), chainId },
});

/** The parts of a range by schema version; undefined where a node would refuse it. */
function runsIn(segments: readonly NodeSegment[] | null, from: number, to: number) {
  if (segments === null) return [{ from, to, version: 93 }];
  const inside = segments.filter(segment => segment.from >= from && segment.to <= to);
  if (inside[0]?.from !== from || inside.at(-1)?.to !== to) return undefined;
  const runs: { from: number; to: number; version: number }[] = [];
  for (const segment of inside) {
    const run = runs.at(-1);
    if (run !== undefined && run.to + 1 !== segment.from) return undefined;
    if (run !== undefined && run.version === segment.version) run.to = segment.to;
    else runs.push({ from: segment.from, to: segment.to, version: segment.version });
  }
  return runs;
}
