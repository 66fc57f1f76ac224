import { assetsOfInstrument } from '../../chain/directory/instrument-assets.ts';
import { ArchiveFile } from '../../history/check/archive-file.ts';
import { inspectArchive } from '../../history/check/check-archive.ts';
import type { ContentCheck } from '../../history/check/entry-data.ts';
import type { AccountNames } from './account-names.ts';
import { CsvCutter } from './csv-cutter.ts';
import { detachText, hashInput, idDigits } from './row-values.ts';
import type { AuditArchive } from './table-inputs.ts';

/** Gives what a row names to `names`. */
type RowNamer = (names: AccountNames, value: (column: string) => string) => void;

/** Small tables with nothing to compare. They name markets that the list of a node leaves out, such as rejected ones. */
const NAMING: Readonly<Record<string, RowNamer>> = {
  markets: (names, value) => {
    const [settled = '', ...others] = assetsOfInstrument(value('tradable_instrument'));
    names.sawMarket(normalizedId(value('id')), settled);
    for (const asset of others) names.sawAsset(asset);
  },
  liquidity_provisions: (names, value) => {
    names.sawMarket(normalizedId(value('market_id')));
    names.sawParty(normalizedId(value('party_id')));
  },
};

const normalizedId = (text: string): string => detachText(hashInput(idDigits(text) ?? ''));

export const isNamingTable = (table: string): boolean => Object.hasOwn(NAMING, table);

interface NameReadOptions {
  readonly signal: AbortSignal;
  readonly onBytes: (bytes: number) => void;
}

/**
 * Gives the markets, assets and parties that these archives name to `names`; resolves with notes. What an archive that is not
 * whole names is taken too: an account that it leads to has its id by a hash, so it cannot be a wrong one.
 */
export async function collectNames(
  archives: readonly AuditArchive[],
  names: AccountNames,
  { signal, onBytes }: NameReadOptions,
): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const { path, table, expectation } of archives) {
    const see = isNamingTable(table) ? NAMING[table] : undefined;
    if (see === undefined) continue;
    const file = new ArchiveFile(path, undefined, signal);
    let reader:
      | { readonly csv: ContentCheck; readonly cutter: CsvCutter; at?: ReadonlyMap<string, number> }
      | undefined;
    let told = 0;
    try {
      const { kind, reason } = await inspectArchive(file, expectation, {
        onContent: (csv, chunk) => {
          if (reader?.csv !== csv) reader = { csv, cutter: new CsvCutter() };
          const current = reader;
          current.cutter.push(chunk, values => {
            const { at } = current;
            if (at === undefined) current.at = new Map(values.map((name, index) => [name.replace(/\r$/, ''), index]));
            else see(names, column => values[at.get(column) ?? -1] ?? '');
          });
          return undefined;
        },
        onProgress: ({ bytesChecked }) => {
          onBytes(bytesChecked - told);
          told = bytesChecked;
        },
      });
      signal.throwIfAborted();
      if (kind !== 'complete') notes.push(`${path} is ${kind}, so it may not list all ${table}: ${reason}`);
    } finally {
      file.close();
    }
  }
  return notes;
}
