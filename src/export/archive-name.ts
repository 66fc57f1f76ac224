import { basename, resolve } from 'node:path';
import { exportTables } from './check/table-columns.ts';
import type { Expectation } from './check/verdict.ts';

/**
 * What the name of a file says that was asked for, when it has the form of an export's
 * (`<chainId>-<table>-<from>-<to>.zip`, with what an export that is not complete has behind it); undefined otherwise.
 */
export function askedByName(
  path: string,
): (Required<Pick<Expectation, 'table' | 'fromBlock' | 'toBlock'>> & Expectation) | undefined {
  const name = basename(resolve(path)).replace(
    /(?:\.\d{1,2})?\.incomplete\.zip$|\.zip(?:\.\d{1,2})?\.(?:part|changed)$/,
    '.zip',
  );
  const match = /^(.+)-([a-z_]+)-(\d{6,19})-(\d{6,19})\.zip$/.exec(name);
  const [, chain = '', table = '', from = '', to = ''] = match ?? [];
  if (!match || !exportTables.includes(table) || BigInt(from) > BigInt(to)) return undefined;
  const range = { table, fromBlock: BigInt(from), toBlock: BigInt(to) };
  return isExact(chain) ? { ...range, chainId: chain } : range;
}

/** In the name of a file other characters of a chain id become `_`, and a chain that is not known `chain`. */
const isExact = (chain: string): boolean => /^[A-Za-z0-9.-]+$/.test(chain) && chain !== 'chain';
