import type { ByteSource } from '../../../src/history/check/byte-feed.ts';
import { inspectArchive } from '../../../src/history/check/check-archive.ts';
import type { Expectation, Verdict } from '../../../src/history/check/verdict.ts';

export const balancesHeader = 'account_id,vega_time,tx_hash,balance';
export const blocksHeader = 'vega_time,height,hash';

export function csv(header: string, ...rows: readonly string[]): string {
  return `${[header, ...rows].join('\n')}\n`;
}

export function blocksCsv(from: number, to: number, without: readonly number[] = []): string {
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const kept = heights.filter(height => !without.includes(height));
  return csv(
    blocksHeader,
    ...kept.map(height => `2023-01-18 01:12:09.934225+00,${height},\\xab${String(height).padStart(6, '0')}`),
  );
}

export const balances: Expectation = { table: 'balances', fromBlock: 1n, toBlock: 1000n };
/** The hexadecimal digits of a number as bytes. */
export const bytesOf = (number: number): string => number.toString(16).padStart(8, '0');

export const balancesName = 'vega-mainnet-0011-balances-093-000001-001000.csv';
export const balancesCsv = csv(
  balancesHeader,
  '\\x01,2023-01-18 01:12:09+00,\\x02,100',
  '\\x03,2023-01-18 01:12:10+00,\\x,7',
);

/** The error of a segment that lacks the table, with and without spaces, as nodes append it. */
export const nodeError = {
  code: 13,
  message: 'Internal error',
  details: [
    {
      '@type': 'type.googleapis.com/vega.ErrorDetail',
      code: 10000,
      message: 'failed to extract data from network history segment file',
      inner: "table file 'X' not found in segment",
    },
  ],
};

/** A body in memory, in pieces of the given sizes, which repeat. */
export function bodyOf(body: Uint8Array, pieceSizes: readonly number[] = [65_536]): ByteSource {
  return {
    reader: () => {
      let position = 0;
      let turn = 0;
      return {
        read: async () => {
          if (position >= body.length) return undefined;
          const size = Math.max(1, pieceSizes[turn++ % pieceSizes.length] ?? 1);
          const piece = Buffer.from(body.subarray(position, position + size));
          position += piece.length;
          return piece;
        },
        moveTo: offset => {
          position = offset;
        },
      };
    },
    tail: bytes => Buffer.from(body.subarray(Math.max(0, body.length - bytes))),
  };
}

export function judge(body: Uint8Array, expectation?: Expectation, pieceSizes?: readonly number[]): Promise<Verdict> {
  return inspectArchive(bodyOf(body, pieceSizes), expectation, {});
}

/** Kind, gravest fault and reason in one line. */
export function summary({ kind, reason, findings }: Verdict): string {
  return `${kind} ${findings[0]?.fault ?? '-'}: ${reason}`;
}
