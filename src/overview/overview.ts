import type { ChainDoubt } from '../api/client.ts';
import { type Json, jsonText } from '../api/json.ts';
import { judgeAll } from '../attention/registry.ts';
import type { Judged } from '../attention/rule.ts';
import type { Loading } from '../attention/seen.ts';
import { roleOf } from '../attention/validator-outside.ts';
import { blockAge } from '../directory/chain-state.ts';
import type { Directory } from '../directory/directory.ts';
import type { Row, RowPage } from '../resources/resource.ts';
import { readValidator } from '../resources/validators.ts';
import { type Answers, chainIn, gapOf, made, type PartAnswer, rowsLoaded } from './answers.ts';
import { type FeeFacts, feesOf } from './fees.ts';
import { type MineLine, mineLines, ownLoaded } from './mine.ts';
import {
  type EpochFacts,
  epochFacts,
  type HistoryFacts,
  hasChainEnded,
  historyFacts,
  mineIn,
  nodeSeen,
  type OverviewSettings,
  seenOf,
} from './seen.ts';

/** What this node and its chain are, and what needs attention. Texts may hold words of the chain: sanitise them. */
export interface Overview {
  readonly node: Loading<NodeFacts>;
  readonly epoch: Loading<EpochFacts>;
  readonly network: NetworkFacts;
  readonly fees: Loading<FeeFacts>;
  readonly attention: readonly Judged[];
  /** What the lists say of what is the user's. */
  readonly mine: readonly MineLine[];
  /** Names of the chain, from the same answers. */
  readonly directory: Directory;
  readonly requests: number;
}

/** Null is what the node does not say. */
export interface NodeFacts {
  /** Why it cannot be reached any more; null while it can. */
  readonly gone: string | null;
  readonly version: string | null;
  readonly chainId: string | null;
  readonly blockHeight: bigint | null;
  readonly blockTimeMs: number | null;
  readonly blockAgeMs: number | null;
  /** The newest block is the last one of the chain. */
  readonly isArchive: boolean;
  readonly coreHeight: bigint | null;
  readonly behindBlocks: bigint | null;
  readonly behindMs: number | null;
  readonly doubts: readonly ChainDoubt[];
  readonly history: HistoryFacts;
}

export interface NetworkFacts {
  readonly markets: Loading<Count>;
  readonly validators: Loading<Count>;
  readonly assets: Loading<Count>;
  readonly specs: Loading<Count>;
  readonly bundles: Loading<Count>;
}

/** How many there are, and how many of them are active, in consensus, enabled; null if that means nothing, or the node says it of none. */
export interface Count {
  readonly count: number;
  readonly active: number | null;
  /** Of how many the node does not say it. */
  readonly unsaid: number;
}

/** The overview from the answers so far. */
export function overviewOf(answers: Answers, settings: OverviewSettings): Overview {
  const mine = mineIn(answers, settings);
  const seen = seenOf(answers, settings);
  const { directory, sources } = seen;
  const read = { ...sources, fees: rowsLoaded(answers.fees), epoch: seen.epoch, own: ownLoaded(answers.own) };
  return {
    node: nodeOf(answers, settings),
    epoch: epochFacts(answers, settings),
    network: networkOf(answers),
    fees: feesOf(answers, directory),
    attention: judgeAll(seen),
    mine: mineLines(mine, read, directory),
    directory,
    requests: answers.requests,
  };
}

/** What the node says of itself. */
export function nodeOf(answers: Answers, settings: Pick<OverviewSettings, 'limit'>): Loading<NodeFacts> {
  const seen = nodeSeen(answers);
  if (seen.kind !== 'read') return seen;
  if (seen.value.kind === 'silent') return { kind: 'unread', why: seen.value.why };
  const { chainId, block, core, version } = chainIn(answers);
  return {
    ...{ kind: 'read', records: null, gap: '', atMs: seen.atMs },
    value: {
      gone: seen.value.gone,
      version: core?.version ?? version,
      chainId,
      blockHeight: block.height,
      ...{ blockTimeMs: block.timeMs, blockAgeMs: blockAge(block), isArchive: hasChainEnded(answers, settings) },
      coreHeight: core?.height ?? null,
      behindBlocks: core?.behindBlocks ?? null,
      behindMs: core?.behindMs ?? null,
      doubts: answers.doubts,
      history: historyFacts(answers),
    },
  };
}

function networkOf({ markets, validators, assets, specs, bundles }: Answers): NetworkFacts {
  const inRows = (answer: PartAnswer<RowPage>, activeOf: ActiveOf | null): Loading<Count> =>
    made(answer, page => {
      const rows = eachOnce(page.rows);
      return { value: counted(rows, activeOf), records: page.rows.length, gap: gapOf(page) };
    });
  return {
    markets: inRows(markets, ({ state }) => isWord(state, 'STATE_ACTIVE')),
    validators: inRows(validators, row => {
      const { rewardScore, rankingScore } = readValidator(row);
      const role = roleOf(rewardScore.validatorStatus || rankingScore.status);
      return role && role === 'inside';
    }),
    assets: made(assets, page => ({
      value: counted(page.records, ({ status }) => isWord(status, 'STATUS_ENABLED')),
      records: page.records.length,
      gap: gapOf(page),
    })),
    specs: inRows(specs, null),
    bundles: inRows(bundles, null),
  };
}

/** Undefined if the record does not say. */
type ActiveOf = (row: Row) => boolean | undefined;

const isWord = (value: Json | undefined, word: string): boolean | undefined =>
  /^[A-Z_]+$/.test(jsonText(value)) ? value === word : undefined;

function counted(rows: readonly Row[], activeOf: ActiveOf | null): Count {
  const said = activeOf === null ? [] : rows.map(activeOf).filter(active => active !== undefined);
  const unsaid = activeOf === null ? 0 : rows.length - said.length;
  const isUnsaid = activeOf === null || (rows.length > 0 && said.length === 0);
  return { count: rows.length, active: isUnsaid ? null : said.filter(Boolean).length, unsaid };
}

/** Rows without an id are counted as they are. */
function eachOnce(rows: readonly Row[]): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter(row => {
    const id = jsonText(row.id);
    const isFirst = id === '' || !seen.has(id);
    seen.add(id);
    return isFirst;
  });
}
