import type { Judged, RuleFinding } from '../../attention/rule.ts';
import type { Loading } from '../../attention/seen.ts';
import { bySeverity } from '../../attention/severity.ts';
import { changedParts } from '../../diff/changed-text.ts';
import { NO_CHAIN_NAME } from '../../directory/chain-state.ts';
import { MINE_WORDS } from '../../directory/mine.ts';
import { sparkline } from '../../insight/bar.ts';
import { countOf } from '../../insight/count-of.ts';
import { duration } from '../../insight/duration.ts';
import type { FeeFacts } from '../../overview/fees.ts';
import type { MineLine } from '../../overview/mine.ts';
import type { EpochFacts } from '../../overview/seen.ts';
import {
  epochEnd,
  feesText,
  historyText,
  NOT_ANSWERED,
  networkParts,
  nodeParts,
  notKnown,
  seriesText,
} from '../../overview/sentences.ts';
import { asciiText } from '../../text/ascii.ts';
import { joinSafe, type SafeText, safeLine } from '../../text/safe-text.ts';
import { labelledLines } from '../../text/text-table.ts';
import type { NamedOverview } from './overview-json.ts';
import type { StoredChanges } from './stored-changes.ts';

interface Drawn {
  readonly nowMs: number;
  /** Of a terminal: longer lines are broken between words. */
  readonly columns?: number | undefined;
  /** Charts are drawn in ASCII. */
  readonly isAscii?: boolean;
  /** It is of a snapshot: no node was contacted. */
  readonly isStored?: boolean;
}

/** A line for each part, with why it is not there and how old it is, and a line for each finding. */
export function overviewText({ label, address, overview, changed }: NamedOverview, drawn: Drawn): SafeText {
  const { node, epoch, network, fees, attention, mine, requests } = overview;
  const history = node.kind === 'read' ? node.value.history : node;
  const lines: readonly (readonly [label: string, text: string])[] = [
    ['node', told(node, facts => nodeParts(facts).join(' | '), drawn)],
    ['history', told(history, historyText, drawn)],
    ['epoch', told(epoch, epochText, drawn)],
    ['network', networkParts(network).join(' | ')],
    ['fees', told(fees, feesText, drawn)],
    ...seriesLines(fees, drawn),
    ...changedLines(changed, drawn.nowMs),
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

function changedLines(changed: StoredChanges, nowMs: number): readonly (readonly [label: string, text: string])[] {
  if (changed === null) return [];
  return [['changed', typeof changed === 'string' ? notKnown(changed) : changedParts(changed, nowMs).join('; ')]];
}

/** A line for each thing that is the user's. */
function mineTexts(
  mine: readonly MineLine[],
  isChainKnown: boolean,
): readonly (readonly [label: string, text: string])[] {
  if (!isChainKnown) return [['mine', notKnown(NO_CHAIN_NAME)]];
  if (mine.length === 0)
    return [['mine', 'nothing yet; add a party, validator, submitter or market: blockglass mine add ID']];
  return mine.map(({ entity, id, name, facts, unread }, index) => {
    const what = `${MINE_WORDS[entity]} ${name ?? id.slice(0, SHORT_ID)}`;
    const said = [...facts.map(({ sentence }) => sentence), ...unread];
    return [index === 0 ? 'mine' : '', `${what}: ${said.length === 0 ? NOT_ANSWERED : said.join('; ')}`];
  });
}

const SHORT_ID = 12;

const LABEL_CELLS = 9;

/** What is known of a part, what may be missing of it, and its age where that can be noticed. */
function told<Value>(source: Loading<Value>, say: (value: Value) => string, { nowMs }: Drawn): string {
  switch (source.kind) {
    case 'waiting':
      return NOT_ANSWERED;
    case 'unread':
      return notKnown(source.why);
    case 'read': {
      const ageMs = nowMs - source.atMs;
      const age = ageMs < NOTICED_MS ? '' : ` (asked ${duration(ageMs)} ago)`;
      return `${say(source.value)}${source.gap === '' ? '' : `; in part: ${source.gap}`}${age}`;
    }
  }
}

const NOTICED_MS = 5000;

const epochText = (epoch: EpochFacts): string => {
  const done = epoch.progress === null ? '' : `, ${Math.floor(epoch.progress * 100)} % done`;
  return `${epoch.seq}, ${epochEnd(epoch)}${done}`;
};

function seriesLines(fees: Loading<FeeFacts>, { isAscii = false }: Drawn): readonly (readonly [string, string])[] {
  if (fees.kind !== 'read') return [];
  const { epoch, series, why, totals } = fees.value;
  if (epoch === null) return [];
  if (series === null) return [['', `last epochs ${notKnown(why)}`]];
  const chart = sparkline(series.epochs.map(({ raw }) => BigInt(raw)));
  return [['', `${seriesText(series, totals)}: ${isAscii ? asciiText(chart) : chart}`]];
}

function attentionLines(attention: readonly Judged[]): readonly (readonly [string, string])[] {
  const findings = bySeverity(attention);
  const known = findings.filter(one => !isUnknown(one));
  const settled = attention.filter(({ isWaiting, findings }) => !isWaiting && !findings.some(isUnknown)).length;
  const nothing = settled === 0 ? 'not known' : `nothing found by ${settled} of ${countOf(attention.length, 'rule')}`;
  const head =
    known.length === 0 ? nothing : `${countOf(known.length, 'finding')} of ${countOf(attention.length, 'rule')}`;
  const hidden = findings.length - known.length;
  const lines = findings.map(({ severity, sentence, resource, key }) => {
    const where = resource === null || key === null ? '' : ` (${resource} ${key})`;
    return [severity, `${sentence}${where}`] as const;
  });
  return [['attention', `${head}${hidden === 0 || head === 'not known' ? '' : `, ${hidden} not known`}`], ...lines];
}

const isUnknown = ({ severity }: RuleFinding): boolean => severity === 'unknown';
