import { type Json, jsonText } from '../../../chain/api/json.ts';
import { countOf } from '../../../chain/insight/count-of.ts';
import type { Row, RowPage } from '../../../chain/resources/resource.ts';
import { readValidator } from '../../../chain/resources/validators.ts';
import type { Loading } from '../../rules/rule-input.ts';
import { consensusRole } from '../../rules/validator-outside.ts';
import { mapAnswer, type OverviewAnswers, type PartAnswer, pageGap } from '../answers.ts';
import { createFact, type Fact, NOT_ANSWERED, notKnownText, partJson, unknownFact, waitingFact } from './fact.ts';

export interface NetworkFacts {
  readonly markets: Loading<Count>;
  readonly validators: Loading<Count>;
  readonly assets: Loading<Count>;
  readonly specs: Loading<Count>;
  readonly bundles: Loading<Count>;
}

/** The number of rows, and of active ones (active, in consensus or enabled); null if meaningless or not reported. */
interface Count {
  readonly count: number;
  readonly active: number | null;
  /** The number of rows for which the node does not report it. */
  readonly unsaid: number;
}

export function collectNetworkFacts({ markets, validators, assets, specs, bundles }: OverviewAnswers): NetworkFacts {
  const inRows = (answer: PartAnswer<RowPage>, activeOf: ReadActive | null): Loading<Count> =>
    mapAnswer(answer, page => {
      const rows = withoutDuplicates(page.rows);
      return { value: countRows(rows, activeOf), records: page.rows.length, gap: pageGap(page) };
    });
  return {
    markets: inRows(markets, ({ state }) => isWord(state, 'STATE_ACTIVE')),
    validators: inRows(validators, row => {
      const { rewardScore, rankingScore } = readValidator(row);
      const role = consensusRole(rewardScore.validatorStatus || rankingScore.status);
      return role && role === 'inside';
    }),
    assets: mapAnswer(assets, page => ({
      value: countRows(page.records, ({ status }) => isWord(status, 'STATUS_ENABLED')),
      records: page.records.length,
      gap: pageGap(page),
    })),
    specs: inRows(specs, null),
    bundles: inRows(bundles, null),
  };
}

/** Undefined if the record does not give it. */
type ReadActive = (row: Row) => boolean | undefined;

const isWord = (value: Json | undefined, word: string): boolean | undefined =>
  /^[A-Z_]+$/.test(jsonText(value)) ? value === word : undefined;

function countRows(rows: readonly Row[], activeOf: ReadActive | null): Count {
  const said = activeOf === null ? [] : rows.map(activeOf).filter(active => active !== undefined);
  const unsaid = activeOf === null ? 0 : rows.length - said.length;
  const isUnsaid = activeOf === null || (rows.length > 0 && said.length === 0);
  return { count: rows.length, active: isUnsaid ? null : said.filter(Boolean).length, unsaid };
}

/** Rows without an id are all counted. */
function withoutDuplicates(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(row => {
    const id = jsonText(row.id);
    const isFirst = id === '' || !seen.has(id);
    seen.add(id);
    return isFirst;
  });
}

/** The size of each list; the age is that of the oldest list. */
export function networkFact(network: NetworkFacts): Fact {
  const named = {
    ...{ id: 'network', label: 'Network', lead: { kind: 'tab', tab: 'markets' } as const },
    json: () => Object.fromEntries(Object.entries(network).map(([name, count]) => [name, partJson(count, countJson)])),
  };
  const parts = networkParts(network);
  const lists: readonly Loading<Count>[] = Object.values(network);
  const answered = lists.flatMap(list => (list.kind === 'read' ? [list.atMs] : []));
  if (answered.length > 0) {
    const read = { kind: 'read', value: parts, records: null, gap: '', atMs: Math.min(...answered) } as const;
    return createFact(read, named, () => ({ parts, line: parts.join(' | ') }));
  }
  return lists.some(({ kind }) => kind === 'waiting') ? waitingFact(named) : unknownFact(named, parts);
}

const COUNTS: readonly (readonly [name: keyof NetworkFacts, noun: string, active: string])[] = [
  ['markets', 'market', 'active'],
  ['validators', 'validator', 'in consensus'],
  ['assets', 'asset', 'enabled'],
  ['specs', 'oracle spec', ''],
  ['bundles', 'signer bundle', ''],
];

/** Lists that are not known for the same reason share it. */
function networkParts(network: NetworkFacts): readonly string[] {
  const parts = COUNTS.map(([name, noun, active]) => ({ noun, active, source: network[name] }));
  const known = parts.flatMap(({ source, noun, active }) =>
    source.kind === 'read' ? [countText(source.value, source.gap, noun, active)] : [],
  );
  const unknown = parts.flatMap(({ source, noun }) =>
    source.kind === 'read' ? [] : [{ noun, why: source.kind === 'waiting' ? NOT_ANSWERED : notKnownText(source.why) }],
  );
  const reasons = [...Map.groupBy(unknown, ({ why }) => why)].map(
    ([why, lists]) => `${lists.map(({ noun }) => `${noun}s`).join(', ')} ${why}`,
  );
  return [...known, ...reasons];
}

function countText({ count, active, unsaid }: Count, gap: string, noun: string, word: string): string {
  const more = gap === '' ? '' : ` or more: ${gap}`;
  const said = [
    ...(active === null ? [] : [`${active} ${word}`]),
    ...(unsaid === 0 ? [] : [active === null ? `not known how many ${word}` : `${unsaid} not known`]),
  ].join(', ');
  return `${countOf(count, noun)}${count === 0 || said === '' ? '' : ` (${said})`}${more}`;
}

const countJson = ({ count, active }: Count) => ({ count, active });
