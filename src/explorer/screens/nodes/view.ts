import { blocksBehind, type ChainHeads } from '../../../attention/status/compare-nodes.ts';
import { shortDuration } from '../../../base/text/duration.ts';
import { safeText, sanitize } from '../../../base/text/safe-text.ts';
import { truncateMiddle, widthCells } from '../../../base/text/width.ts';
import { TWO_CHAINS } from '../../../chain/directory/chain-watch.ts';
import { type Lag, nodeLag } from '../../../chain/insight/node-lag.ts';
import { noChoicesLine } from '../../core/choices.ts';
import { BLANK, type Line, line, nodeStyle, type ScreenRow, span, textLine, toScreenRows } from '../../core/line.ts';
import { listLines } from '../../core/list.ts';
import type { ScreenContext, SharedState } from '../../core/screen.ts';
import { fitTable, GAPS, type ListColumn, tableHead, tableRow } from '../../core/table.ts';
import { nodeName } from '../../services/node/nodes.ts';
import type { OfferedNode, ProbeAnswer } from '../../services/node/offered-node.ts';
import { lagLimit } from '../../services/preferences.ts';
import {
  chainHead,
  chainHeads,
  comparedHistories,
  historyLabel,
  historySentence,
  type NodeAnswer,
  type NodeChoiceItem,
  type NodePicker,
  pickerLayout,
} from './state.ts';

const TITLE = textLine(' Nodes: Enter switches, Esc stays', 'strong');

/** Nodes to choose from, and the health of those that have answered. */
export function drawNodes(
  picker: NodePicker,
  shown: readonly NodeChoiceItem[],
  { shared, area }: ScreenContext,
): readonly ScreenRow[] {
  const { offered, answers, problem, list } = picker;
  if (offered === null) return toScreenRows([TITLE, BLANK, textLine('  reading the settings ...', 'quiet')]);
  if (shown.length === 0) return toScreenRows([TITLE, BLANK, noChoicesLine(list)]);
  const { height, isLow } = pickerLayout(picker, area.rows);
  const place = shown.length > height ? `  ${list.row + 1} of ${shown.length}` : '';
  const histories = comparedHistories(picker);
  const heads = chainHeads(answers);
  const drawn: Drawn = { shared, heads, historyOf: ({ node }) => historyLabel(histories.get(node)) };
  const table = fitTable(
    nodeColumns(offered, drawn, { screen: area.columns, hasHistory: histories.size > 0 }),
    area.columns,
    GAPS_WITH_MARK,
  );
  // A row without an answer needs no columns.
  const named = { ...table, fitted: table.fitted.slice(0, 1) };
  const lines = listLines(shown.slice(list.top, list.top + height), list, { area, shared }, (item, isSelected) => {
    const said = withoutAnswer(item.answer);
    const row =
      said === undefined ? tableRow(table, item, isSelected) : [...tableRow(named, item, isSelected), ...said];
    return [span(item.node.name === nodeName(shared.node) ? safeText`*` : safeText` `, 'selected'), ...row];
  });
  const selected = shown[list.row];
  const said =
    selected === undefined ? [] : selectedNodeLines(shared, selected, historySentence(histories.get(selected.node)));
  return toScreenRows([
    [...TITLE, ...textLine(place, 'strong')],
    ...(problem === null ? [] : [textLine(`  ${problem}`, 'bad')]),
    BLANK,
    tableHead(table, area.columns),
    ...lines,
    // The last line is the most important.
    ...(isLow ? said.slice(-1) : [BLANK, ...said]),
    ...(shared.knownNodes.profiles.length === 0 ? NO_PROFILES : []),
  ]);
}

const NO_PROFILES: readonly Line[] = [
  BLANK,
  textLine('  :node URL goes to any node; blockglass node add NAME URL saves it', 'quiet'),
];

/** The node in use has a mark of its own. */
const GAPS_WITH_MARK = { ...GAPS, margin: 3 };

const MAX_NAME_CELLS = 24;
const BEHIND_CELLS = 6;

interface Drawn {
  readonly shared: SharedState;
  readonly heads: ChainHeads;
  readonly historyOf: (item: NodeChoiceItem) => string;
}

/**
 * On a narrow screen the version gives way first, then latency and block: who answers, how far behind it is, and whether the
 * nodes agree about history stay.
 */
function nodeColumns(
  nodes: readonly OfferedNode[],
  { shared, heads, historyOf }: Drawn,
  { screen, hasHistory }: { readonly screen: number; readonly hasHistory: boolean },
): readonly ListColumn<NodeChoiceItem>[] {
  const longest = Math.max(...nodes.map(({ name }) => widthCells(sanitize(name))));
  const cell =
    (text: (answer: NodeAnswer, item: NodeChoiceItem) => string) =>
    (item: NodeChoiceItem, cells: number): Line => {
      const { answer } = item;
      if (answer?.kind !== 'answered') return BLANK;
      const isBad = answer.mixed !== undefined || ['ahead', 'behind'].includes(lagOf(shared, answer).kind);
      return line(truncateMiddle(sanitize(text(answer, item)), cells), isBad ? 'bad' : 'plain');
    };
  const right = { align: 'right' } as const;
  return [
    {
      ...{ title: 'NODE', cells: Math.max(4, Math.min(longest, screen < 80 ? 12 : MAX_NAME_CELLS)) },
      isName: true,
      cell: ({ node: { name, colour } }, cells) =>
        line(truncateMiddle(sanitize(name), cells), colour === undefined ? 'plain' : nodeStyle(colour)),
    },
    {
      title: 'CHAIN',
      cells: screen < 60 ? 12 : 18,
      cell: cell(({ chainId, mixed }) => (mixed === undefined ? chainId || '?' : TWO_CHAINS)),
    },
    { title: 'BLOCK', cells: 9, ...right, yields: 1, cell: cell(({ block }) => block ?? '?') },
    { title: 'BEHIND', cells: BEHIND_CELLS, ...right, cell: cell(answer => behindText(shared, answer, heads)) },
    ...(hasHistory ? [{ title: 'HISTORY', cells: 7, cell: cell((_, item) => historyOf(item)) }] : []),
    { title: 'LATENCY', cells: 7, ...right, yields: 2, cell: cell(({ latencyMs }) => `${latencyMs} ms`) },
    { title: 'VERSION', cells: 8, yields: 3, cell: cell(({ version }) => version || '?') },
  ];
}

/** The text in place of an answer. */
function withoutAnswer(answer: ProbeAnswer | null): Line | undefined {
  if (answer === null) return textLine('  asking ...', 'quiet');
  if (answer.kind === 'not-started') return textLine('  starts when it is chosen', 'quiet');
  return answer.kind === 'failed' ? textLine(`  ${answer.problem}`, 'bad') : undefined;
}

/** In time where its newest block is old, as the header would have it: all nodes that answered may stand at one height. */
function behindText(shared: SharedState, answer: NodeAnswer, heads: ChainHeads): string {
  const lag = lagOf(shared, answer);
  switch (lag.kind) {
    case 'archive':
      return 'ended';
    case 'ahead':
      return fitAge(`-${shortDuration(lag.ms)}`);
    case 'behind':
      return fitAge(shortDuration(lag.ms));
    case 'current':
    case 'unknown':
      return String(blocksBehind(chainHead(answer), heads) ?? '-');
  }
}

const fitAge = (age: string): string => (age.length > BEHIND_CELLS ? age.replace(' ', '') : age);

const lagOf = ({ preferences }: SharedState, { ageMs, isArchive }: NodeAnswer): Lag =>
  nodeLag({ ageMs, behindCoreMs: null, isArchive: isArchive === true }, lagLimit(preferences));

/** Where the selected node is, and what switching to it would change. */
function selectedNodeLines(
  { node }: SharedState,
  { node: to, answer }: NodeChoiceItem,
  history: string,
): readonly Line[] {
  const isInUse = to.name === nodeName(node);
  const chain = answer?.kind === 'answered' ? answer.chainId : '';
  const isOther = chain !== '' && Boolean(node.chainId) && chain !== node.chainId;
  const place = textLine(
    `  ${to.address === '' ? 'the embedded node' : to.address}${isInUse ? '  in use' : ''}`,
    'quiet',
  );
  if (answer?.kind === 'answered' && answer.mixed !== undefined)
    return [place, textLine(`  ${TWO_CHAINS}: ${answer.mixed}`, 'bad')];
  if (isOther) return [place, textLine(`  another chain: ${chain} instead of ${node.chainId}`, 'pending')];
  return history === '' ? [place] : [place, textLine(`  ${history}`, history.startsWith('same') ? 'quiet' : 'pending')];
}
