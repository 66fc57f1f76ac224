import { DAY_MS } from '../../base/text/time.ts';
import { isJsonObject, parseJson } from '../../chain/api/json.ts';
import type { Row } from '../../chain/resources/resource.ts';
import type * as store from '../../memory/snapshots/index.ts';
import type { StoredBaseline } from './judge-check.ts';

interface BaselineOptions {
  readonly folder: string;
  readonly nowMs: number;
  readonly onProblem: (problem: string) => void;
}

/** The parameters and validators of a day ago, or of the oldest snapshot; undefined without one that can be read. */
export function storedBaseline(
  door: Pick<typeof store, 'openChainSnapshots'>,
  chainId: string,
  { folder, nowMs, onProblem }: BaselineOptions,
): StoredBaseline | undefined {
  try {
    const snapshots = door.openChainSnapshots(folder, chainId);
    if (snapshots === undefined) return undefined;
    try {
      const info = snapshots.at(nowMs - DAY_MS) ?? snapshots.all()[0];
      if (info === undefined) return undefined;
      const rows = (list: string): readonly Row[] | null => {
        const stored = snapshots.list(info.id, { list, scope: '' });
        return stored?.kind === 'read' ? stored.records.map(text => parseJson(text)).filter(isJsonObject) : null;
      };
      return { parameters: rows('parameters'), validators: rows('validators') };
    } finally {
      snapshots.close();
    }
  } catch (error) {
    onProblem(`the snapshots of this chain cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
