import { isHexDigits, readTypedId } from '../base/text/ids.ts';
import { isNotServed } from '../chain/api/errors.ts';
import type { Directory } from '../chain/directory/directory.ts';
import type { Entity } from '../chain/directory/entity.ts';
import { findIds, idLines, similarNames } from '../chain/directory/find-ids.ts';
import { type Filter, filterProblem, isWholeId } from '../chain/resources/filter.ts';
import { paidLiquidityFees } from '../chain/resources/paid-liquidity-fees.ts';
import type { Connection, Context } from './context.ts';
import type { ParsedFlags } from './flags.ts';
import { loadNamesForReader } from './load-names.ts';
import { UsageError } from './usage-error.ts';

/** Where the names come from. */
export interface NamesSource {
  readonly names: () => Promise<Directory>;
  /** Throws the problem of a node that gave no names. */
  readonly check?: () => Promise<void>;
}

/** The filter that each flag sets, by flag name. */
export type IdFlags = ReadonlyMap<string, Filter>;

/** The flags that name parties, of a command about files. */
export const PARTY_FLAG: IdFlags = new Map(
  paidLiquidityFees.filters.flatMap(filter => (filter.name === 'partyIds' ? [['party', filter] as const] : [])),
);

/**
 * The same flags, with names replaced by the ids that they stand for: `--market-id BTC/USDT`, `--party @me`. The names are
 * loaded only if they are needed. Throws UsageError for a name of nothing, or of several things.
 */
export async function resolveIdFlags(
  given: ParsedFlags,
  flags: IdFlags,
  { names, check }: NamesSource,
): Promise<ParsedFlags> {
  const isNamed = ([flag, filter]: readonly [string, Filter]): boolean =>
    given.texts(flag).some(text => !needsNoNames(filter, text));
  const named = [...flags].filter(isNamed);
  if (named.length === 0) return given;
  const directory = await names();
  const isMissing = ([flag, { entity = 'epoch' }]: readonly [string, Filter]): boolean =>
    given.texts(flag).some(text => findIds(directory, entity, text).length === 0);
  if (isNameless(directory) && named.some(isMissing)) await check?.();
  const ids = new Map(
    named.map(([flag, filter]) => [
      flag,
      given.texts(flag).map(text => resolveIdText(directory, { flag, filter, text })),
    ]),
  );
  const texts = (flag: string): readonly string[] => ids.get(flag) ?? given.texts(flag);
  return { ...given, texts, text: flag => texts(flag)[0] };
}

/** The party of a command about files, whose names are resolved. */
export function readParty(given: ParsedFlags): string {
  const text = given.text('party') ?? '';
  const party = readTypedId(text);
  if (party !== undefined) return party;
  throw new UsageError(`--party must be 64 hexadecimal digits or a name, not "${text}"`);
}

const needsNoNames = (filter: Filter, text: string): boolean =>
  !takesNames(filter) || text.trim() === '' || isWholeId(filter, text);

const takesNames = ({ kind, entity }: Filter): boolean =>
  (kind === 'id' || kind === 'address') && entity !== undefined && entity !== 'epoch';

interface TypedId {
  readonly flag: string;
  readonly filter: Filter;
  readonly text: string;
}

function resolveIdText(directory: Directory, { flag, filter, text }: TypedId): string {
  const { entity } = filter;
  if (entity === undefined || needsNoNames(filter, text)) return text;
  const ids = findIds(directory, entity, text, { isId: id => filterProblem(filter, id) === undefined });
  const [id, ...others] = ids;
  if (id !== undefined && others.length === 0) return id;
  // Digits may be an id of another length; the node knows.
  const problem = filterProblem(filter, text, `--${flag}`);
  if (problem === undefined) return text;
  if (text.trim() === '' || isHexDigits(text.trim())) throw new UsageError(problem);
  const { noun, list } = ENTITY_NOUNS[entity] ?? {};
  if (id !== undefined)
    throw new UsageError(
      `--${flag}: ${ids.length} ${noun ?? 'ids'} are called "${text}". Give the id of one:`,
      idLines(directory, entity, ids),
    );
  const like = similarNames(directory, entity, text).map(name => `"${name}"`);
  const meant = like.length === 0 ? '' : `; did you mean ${like.join(' or ')}?`;
  const where = list === undefined ? '' : `, as blockglass list ${list} prints them`;
  throw new UsageError(`--${flag}: none of the ${noun ?? 'names'} known here is called "${text}"${meant}`, [
    isNameless(directory)
      ? 'no names are known here. Give the id.'
      : entity === 'party'
        ? 'Give its id (64 hex digits), one of your aliases, or the name of a validator.'
        : `Give its name or its id (${entity === 'submitter' ? '0x and 40' : '64'} hex digits)${where}.`,
  ]);
}

const isNameless = ({ markets, assets, validators }: Directory): boolean =>
  [markets, assets, validators].every(({ size }) => size === 0);

const ENTITY_NOUNS: { readonly [entity in Entity]?: { readonly noun: string; readonly list?: string } } = {
  market: { noun: 'markets', list: 'markets' },
  asset: { noun: 'assets' },
  node: { noun: 'validators', list: 'validators' },
  submitter: { noun: 'validators', list: 'validators' },
  party: { noun: 'parties' },
};

/** The names of the node that a command asks. */
export function nodeNamesSource(connection: () => Promise<Connection>, context: Context): NamesSource {
  return {
    names: async () => loadNamesForReader(await connection(), context),
    check: async () => {
      const { client } = await connection();
      const request = { path: 'api/v2/markets', query: [['pagination.first', '1']] } as const;
      await client.get(request, context.signal).catch((error: unknown) => {
        if (!isNotServed(error)) throw error;
      });
    },
  };
}
