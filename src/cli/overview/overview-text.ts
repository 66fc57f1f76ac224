import { type Fact, notKnownText } from '../../attention/overview/facts/fact.ts';
import { overviewFacts } from '../../attention/overview/facts/facts.ts';
import { createOwnFact } from '../../attention/overview/facts/mine.ts';
import type { MineLine } from '../../attention/overview/mine.ts';
import { countAttention, findingsText } from '../../attention/rules/finding-counts.ts';
import type { RuleResult } from '../../attention/rules/rule.ts';
import { sortBySeverity } from '../../attention/rules/severity.ts';
import { shortDuration } from '../../base/text/duration.ts';
import { joinSafe, type SafeText, safeLine } from '../../base/text/safe-text.ts';
import { labelledLines } from '../../base/text/text-table.ts';
import { NO_CHAIN_NAME } from '../../chain/directory/chain-state.ts';
import { countOf } from '../../chain/insight/count-of.ts';
import type { NamedOverview } from './overview-json.ts';

interface Drawn {
  readonly nowMs: number;
  /** Of a terminal: longer lines are broken between words. */
  readonly columns?: number | undefined;
  /** It is of a snapshot: no node was contacted. */
  readonly isStored?: boolean;
}

/** A line for each fact, with why it is not known and how old it is, and a line for each finding. */
export function overviewText({ label, address, overview, changed }: NamedOverview, drawn: Drawn): SafeText {
  const { node, attention, mine, requests } = overview;
  const lines: readonly (readonly [label: string, text: string])[] = [
    ...overviewFacts(overview, changed, drawn).flatMap(fact => factTexts(fact, drawn)),
    ...attentionLines(attention),
    ...mineTexts(mine, node.kind === 'read' && node.value.chainId !== null),
  ];
  const title = label === '' ? address : `${label} (${address})`;
  return joinSafe([
    safeLine(title),
    ...lines.map(([head, text]) => labelledLines(head, text, { labelCells: LABEL_CELLS, columns: drawn.columns })),
    ...(drawn.isStored === true
      ? []
      : [
          labelledLines('', `${countOf(requests, 'request')} sent`, {
            labelCells: LABEL_CELLS,
            columns: drawn.columns,
          }),
        ]),
  ]);
}

/** A fact, and its age where that can be noticed. */
function factTexts(
  { label, line, isBelow, chart = '', atMs }: Fact,
  { nowMs }: Drawn,
): readonly (readonly [label: string, text: string])[] {
  if (line === '') return [];
  const drawn = chart === '' ? line : `${line}: ${chart}`;
  if (isBelow === true) return [['', drawn]];
  const ageMs = atMs === null ? 0 : nowMs - atMs;
  return [[label.toLowerCase(), ageMs < NOTICED_MS ? drawn : `${drawn} (asked ${shortDuration(ageMs)} ago)`]];
}

const NOTICED_MS = 5000;

/** A line for each thing that is the user's. */
function mineTexts(
  mine: readonly MineLine[],
  isChainKnown: boolean,
): readonly (readonly [label: string, text: string])[] {
  if (!isChainKnown) return [['mine', notKnownText(NO_CHAIN_NAME)]];
  if (mine.length === 0)
    return [['mine', 'nothing yet; add a party, validator, submitter or market: blockglass mine add ID']];
  return mine.map(createOwnFact).map(({ label, line }, index) => [index === 0 ? 'mine' : '', `${label}: ${line}`]);
}

const LABEL_CELLS = 9;

const attentionLines = (attention: readonly RuleResult[]): readonly (readonly [string, string])[] => [
  ['attention', findingsText(countAttention(attention))],
  ...sortBySeverity(attention).map(({ severity, sentence, resource, key }) => {
    const where = resource === null || key === null ? '' : ` (${resource} ${key})`;
    return [severity, `${sentence}${where}`] as const;
  }),
];
