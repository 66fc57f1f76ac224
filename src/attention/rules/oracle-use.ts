import type { MarketEntry, SpecUse } from '../../chain/directory/directory.ts';
import { definitionKey, usesOfSpec } from '../../chain/directory/market-specs.ts';
import { nsToSeconds } from '../../chain/insight/oracle/arrival.ts';
import { sourceSchedules } from '../../chain/insight/oracle/delivery.ts';
import type { Schedule } from '../../chain/insight/oracle/schedule.ts';
import { onceFor } from '../../chain/resources/once-for.ts';
import { type OracleSpec, readOracleSpec } from '../../chain/resources/oracle-specs.ts';
import type { Row } from '../../chain/resources/resource.ts';

/** An oracle spec as the rules read it. */
export interface RuleSpec extends OracleSpec {
  /** When it was created, Unix seconds. */
  readonly since: bigint;
  readonly schedules: readonly Schedule[];
  /** `definitionKey` of its data. */
  readonly definition: () => string | undefined;
}

/** Reads a spec of the list once: the rules are judged again with every answer, and a chain may have thousands. */
export const readSpecOnce = onceFor((row: Row): RuleSpec => {
  const spec = readOracleSpec(row);
  const since = nsToSeconds(spec.createdAt) ?? 0n;
  let definition: { readonly key: string | undefined } | undefined;
  return {
    ...spec,
    since,
    schedules: sourceSchedules(spec.source, since),
    definition: () => {
      definition ??= { key: definitionKey(spec.data) };
      return definition.key;
    },
  };
});

/** A market that depends on an oracle spec. */
interface DependentMarket {
  readonly id: string;
  readonly uses: readonly SpecUse['use'][];
}

/** The markets that a spec still matters to. */
export function dependentMarkets(
  markets: ReadonlyMap<string, MarketEntry>,
  spec: RuleSpec,
): readonly DependentMarket[] {
  const { byId, byDefinition } = findSpecUsers(markets);
  // The hash of a definition is worked out only if a market gives one.
  const definition = byDefinition.size === 0 ? undefined : spec.definition();
  const users = new Set([...(byId.get(spec.id.toLowerCase()) ?? []), ...(byDefinition.get(definition ?? '') ?? [])]);
  return [...users]
    .toSorted((one, other) => one.position - other.position)
    .map(({ id, needs }) => ({ id, uses: usesOfSpec(needs, { id: spec.id, definition }) }));
}

interface SpecUser {
  /** Among the markets. */
  readonly position: number;
  readonly id: string;
  readonly needs: readonly SpecUse[];
}

/** Markets by the specs they need. */
interface SpecUsers {
  /** In lower case. */
  readonly byId: ReadonlyMap<string, readonly SpecUser[]>;
  readonly byDefinition: ReadonlyMap<string, readonly SpecUser[]>;
}

const findSpecUsers = onceFor((markets: ReadonlyMap<string, MarketEntry>): SpecUsers => {
  const needed = [...markets].flatMap(([id, entry], position) => {
    const user = { position, id, needs: neededSpecs(entry) };
    return user.needs.map(need => ({ user, need }));
  });
  const by = (keyOf: (need: SpecUse) => string) =>
    new Map(
      [...Map.groupBy(needed, ({ need }) => keyOf(need))]
        .filter(([key]) => key !== '')
        .map(([key, users]) => [key, users.map(({ user }) => user)]),
    );
  return {
    byId: by(({ specId }) => specId.toLowerCase()),
    byDefinition: by(({ specId, definition = '' }) => (specId === '' ? definition : '')),
  };
});

/** The specs that a market still needs: nothing ends trading again once it has ended, but settlement follows. */
export function neededSpecs({ state, specs }: Pick<MarketEntry, 'state' | 'specs'>): readonly SpecUse[] {
  if (OVER_STATES.has(state)) return [];
  return state === 'STATE_TRADING_TERMINATED' ? specs.filter(({ use }) => use === 'settlement') : specs;
}

const OVER_STATES: ReadonlySet<string> = new Set([
  'STATE_REJECTED',
  'STATE_CANCELLED',
  'STATE_CLOSED',
  'STATE_SETTLED',
]);

export const USE_WORDS: { readonly [use in SpecUse['use']]: string } = {
  settlement: 'settles on it',
  termination: 'ends trading with it',
  schedule: 'is scheduled by it',
  'mark-price': 'uses it for its mark price',
  'internal-composite-price': 'uses it for its funding price',
};

/** The same of the spec, before the name of a market. */
export const USE_VERBS: { readonly [use in SpecUse['use']]: string } = {
  settlement: 'settles',
  termination: 'ends trading of',
  schedule: 'schedules',
  'mark-price': 'gives the mark price of',
  'internal-composite-price': 'gives the funding price of',
};
