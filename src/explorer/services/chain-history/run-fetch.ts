import type { Client } from '../../../chain/api/client.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import { type Range, rangeLabel } from '../../../chain/insight/range.ts';
import type { ExportResult } from '../../../history/download/export-result.ts';
import { type RatedProgress, rated } from '../../../history/download/rate.ts';
import { openHistory } from '../../../history/store/chain-history.ts';
import { checkHistory, type DamagedSlice } from '../../../history/store/check-history.ts';
import { fetchHistory } from '../../../history/store/fetch-history.ts';
import {
  broughtText,
  type FetchResult,
  failureTexts,
  isRefusal,
  onDiskText,
} from '../../../history/store/fetch-result.ts';
import { type FetchPlan, planFetch } from '../../../history/store/plan-fetch.ts';
import { planRepair, repairOf } from '../../../history/store/plan-repair.ts';
import { toScreenFailure } from '../failure.ts';
import type { FetchOutcome, FetchRequest } from './chain-history.ts';
import { parseFetchRange, WHOLE_HISTORY } from './fetch-range.ts';

interface FetchGround {
  /** Throws while no node is connected. */
  readonly client: () => Client;
  /** The folder of all histories. */
  readonly root: string;
  /** Program and version, for the manifests. */
  readonly program: string;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly onProgress: (progress: RatedProgress) => void;
  readonly signal: AbortSignal;
}

/** Fetches missing slices, or verifies those on disk and fetches damaged ones again. Never throws: the outcome has errors. */
export async function fetchForScreen(
  { tables, range, checkedFolder }: FetchRequest,
  ground: FetchGround,
): Promise<FetchOutcome> {
  const { signal } = ground;
  try {
    return checkedFolder === undefined
      ? await fetchMissing({ tables, range }, ground)
      : await checkAndFetch(checkedFolder, tables, ground);
  } catch (error) {
    if (signal.aborted) return CANCELLED;
    return { kind: 'stopped', lines: failureLines(error) };
  }
}

const CANCELLED: FetchOutcome = { kind: 'cancelled', lines: ['The fetch was cancelled; nothing had arrived.'] };

function failureLines(error: unknown): readonly string[] {
  const { title, lines, hint } = toScreenFailure(error);
  return [`${title}${lines[0] === undefined ? '' : `: ${lines[0]}`}`, ...(hint === '' ? [] : [hint])];
}

async function fetchMissing(
  { tables, range }: Pick<FetchRequest, 'tables' | 'range'>,
  ground: FetchGround,
): Promise<FetchOutcome> {
  const { root, signal } = ground;
  const client = ground.client();
  const plan = await planFetch({ client, root, tables, range: parseFetchRange(range), signal });
  return outcomeOf(plan, await fetchPlanned(plan, client, ground), range);
}

const fetchPlanned = (plan: FetchPlan, client: Client, ground: FetchGround): Promise<FetchResult> => {
  const { signal, program, firstByteMs, idleMs, onProgress } = ground;
  return fetchHistory({
    ...{ plan, client, signal, program, firstByteMs, idleMs },
    onProgress: rated(onProgress),
  });
};

function outcomeOf(plan: FetchPlan, result: FetchResult, range: string): FetchOutcome {
  const { kind, segments, failed, cause } = result;
  const remarks = [...new Set([...plan.notes, ...result.notes])];
  if (kind === 'complete') {
    const nothing = `Nothing was missing: all that the node has${range === WHOLE_HISTORY ? '' : ` in ${range}`} is on disk.`;
    return { kind: 'fetched', lines: [segments.of === 0 ? nothing : `Complete: ${broughtText(result)}.`, ...remarks] };
  }
  const onDisk = onDiskText(result);
  if (cause === undefined) {
    const another = failed.every(({ result: of }) => isRefusal(of)) ? [ANOTHER_NODE] : [];
    return { kind: 'stopped', lines: [`${onDisk}.`, ...failureTexts(result), ...another, ...remarks] };
  }
  const kept = `${onDisk}. Another fetch brings the rest.`;
  if (cause.kind === 'cancelled') return { kind: 'cancelled', lines: [`Cancelled: ${kept}`] };
  // What is kept comes before the hint, which may be long.
  const [why = '', ...hints] = causeLines(cause);
  return { kind: 'stopped', lines: [why, kept, ...hints, ...remarks] };
}

const ANOTHER_NODE = 'Another node may export them: N chooses one.';

function causeLines(cause: ExportResult): readonly string[] {
  if (cause.kind === 'failed') return failureLines(cause.error);
  if (cause.kind === 'not-complete') return [`what arrived is ${cause.verdict.kind}: ${cause.verdict.reason}`];
  return [];
}

async function checkAndFetch(folder: string, tables: readonly string[], ground: FetchGround): Promise<FetchOutcome> {
  const { signal, onProgress } = ground;
  const history = await openHistory(folder);
  const checked = await checkHistory(history, {
    ...{ signal, tables },
    onProgress: rated(onProgress),
  });
  const { slices, damaged, unrecorded } = checked;
  const found = [
    ...(damaged.length === 0 ? [] : [damagedText(damaged)]),
    ...unrecorded.map(({ table }) => `the manifest of ${table} is damaged, so its files are verified again`),
  ];
  const verified = `${countOf(slices, 'file')} verified again${found.map(text => `; ${text}`).join('')}`;
  const repair = repairOf(checked);
  if (repair === undefined)
    return {
      kind: damaged.length === 0 ? 'fetched' : 'stopped',
      lines: [`${verified}${damaged.length === 0 ? ': no damage found' : ''}.`],
    };
  const client = ground.client();
  const plan = await planRepair({ client, root: ground.root, signal, chain: folder }, repair);
  const again = outcomeOf(plan, await fetchPlanned(plan, client, ground), WHOLE_HISTORY);
  return { ...again, lines: [`${verified}.`, ...again.lines] };
}

function damagedText(damaged: readonly DamagedSlice[]): string {
  const [first] = damaged;
  const place =
    first === undefined ? '' : ` (${first.table}, blocks ${rangeLabel(first.range satisfies Range)}: ${first.reason})`;
  return `${countOf(damaged.length, 'damaged file')} set aside${place}`;
}
