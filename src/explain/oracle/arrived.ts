import { jsonText, member } from '../../api/json.ts';
import { readPage } from '../../api/page.ts';
import { type Arrivals, arrivalsAmong, secondsOfNs } from '../../insight/oracle/arrival.ts';
import { isDataOf, readArrived } from '../../resources/oracle-data.ts';
import type { Ask } from '../explanation.ts';

/** Undefined if the node does not serve it, or not now (node-lists.md section 5). */
export async function arrivalsOf(specId: string, ask: Ask): Promise<Arrivals | undefined> {
  if (!/^(?:[0-9a-f]{2})+$/i.test(specId)) return undefined;
  const query = [
    ['oracleSpecId', specId],
    ['pagination.first', String(MOST_READ)],
    ['pagination.newestFirst', 'true'],
  ] as const;
  const answer = await ask({ path: 'api/v2/oracle/data', query });
  const page = answer === undefined ? undefined : readPage(answer, 'oracleData');
  if (page === undefined) return undefined;
  const own = page.records.filter(record => isDataOf(record, specId));
  // Data of other specs means that the node ignores the filter, so data of this spec may follow later.
  return arrivalsAmong(own.map(readArrived), page.hasNextPage || own.length < page.records.length);
}

/** The Unix second of the last block the node has stored; undefined if it does not say. */
export async function blockTimeOf(ask: Ask): Promise<bigint | undefined> {
  return secondsOfNs(jsonText(member(await ask({ path: 'api/v2/vega/time', query: [] }), 'timestamp')));
}

// Enough to find the last value before some errors.
const MOST_READ = 10;
