import { duration } from '../../../insight/duration.ts';
import { safeText, sanitize } from '../../../text/safe-text.ts';
import { fitCells, truncateMiddle, widthCells } from '../../../text/width.ts';
import { nothingShown } from '../../core/choices.ts';
import {
  asRows,
  BLANK,
  headLine,
  type Line,
  nodeStyle,
  type ScreenRow,
  type Style,
  span,
  textLine,
} from '../../core/line.ts';
import { selectedLine } from '../../core/looks.ts';
import type { ScreenContext, Shared } from '../../core/screen.ts';
import { select } from '../../core/window.ts';
import { isLagging } from '../../services/node/health.ts';
import { nodeName } from '../../services/node/nodes.ts';
import type { OfferedNode, ProbeAnswer } from '../../services/node/offered-node.ts';
import {
  blocksBehind,
  type ChainHeads,
  chainHeads,
  comparedHistories,
  historySentence,
  historyWord,
  type NodeChoiceItem,
  type NodePicker,
  pickerLines,
} from './state.ts';

const TITLE = textLine(' Nodes: Enter switches, Esc stays', 'strong');

/** Nodes to choose from, and the health of those that have answered. */
export function drawNodes(
  picker: NodePicker,
  shown: readonly NodeChoiceItem[],
  { shared, area }: ScreenContext,
): readonly ScreenRow[] {
  const { offered, answers, problem, list } = picker;
  if (offered === null) return asRows([TITLE, BLANK, textLine('  reading the settings ...', 'quiet')]);
  if (shown.length === 0) return asRows([TITLE, BLANK, nothingShown(list)]);
  const { nodes: height, isLow } = pickerLines(picker, area.rows);
  const place = shown.length > height ? `  ${list.cursor + 1} of ${shown.length}` : '';
  const { top } = select({ row: 0, top: 0 }, list.cursor, shown.length, height);
  const histories = comparedHistories(picker);
  const cells = cellsOf(offered, { columns: area.columns, hasHistory: histories.size > 0 });
  const heads = chainHeads(answers);
  const lines = shown.slice(top, top + height).map(({ node, answer }, index): Line => {
    const isSelected = top + index === list.cursor;
    const mark = `${isSelected ? '>' : ' '}${node.name === nodeName(shared.node) ? '*' : ' '} `;
    const name = fitCells(truncateMiddle(sanitize(node.name), cells.name), cells.name);
    const style = node.colour === undefined && isSelected ? 'selected' : nodeStyle(node.colour ?? null);
    const drawn = [
      span(sanitize(mark), 'selected'),
      span(name, style),
      span(safeText`  `),
      ...drawAnswer(shared, answer, { cells, heads, history: historyWord(histories.get(node)) }),
    ];
    return isSelected ? selectedLine(drawn, area.columns, shared) : drawn;
  });
  const selected = shown[list.cursor];
  const said = selected === undefined ? [] : about(shared, selected, historySentence(histories.get(selected.node)));
  return asRows([
    [...TITLE, ...textLine(place, 'strong')],
    ...(problem === null ? [] : [textLine(`  ${problem}`, 'bad')]),
    BLANK,
    headLine(heading(cells), area.columns),
    ...lines,
    // The last line says most.
    ...(isLow ? said.slice(-1) : [BLANK, ...said]),
    ...(shared.knownNodes.profiles.length === 0 ? NO_PROFILES : []),
  ]);
}

type Cells = {
  readonly [part in 'name' | 'chain' | 'block' | 'behind' | 'history' | 'latency' | 'version']: number;
};

const NO_PROFILES: readonly Line[] = [
  BLANK,
  textLine('  :node URL goes to any node; blockglass node add NAME URL saves it', 'quiet'),
];

const MARKS = 3;
const LONGEST_NAME = 24;
const BEHIND_CELLS = 6;

/**
 * On a narrow screen the version gives way first, then latency and block: who answers, how far behind it is, and whether the
 * nodes agree about history stay.
 */
function cellsOf(
  nodes: readonly OfferedNode[],
  { columns, hasHistory }: { readonly columns: number; readonly hasHistory: boolean },
): Cells {
  const longest = Math.max(...nodes.map(({ name }) => widthCells(sanitize(name))));
  const name = Math.max(4, Math.min(longest, columns < 80 ? 12 : LONGEST_NAME));
  let cells: Cells = {
    ...{ name, chain: columns < 60 ? 12 : 18, block: 9, behind: BEHIND_CELLS, latency: 7, version: 8 },
    history: hasHistory ? 7 : 0,
  };
  for (const part of ['version', 'latency', 'block'] as const)
    if (widthOf(cells) > columns) cells = { ...cells, [part]: 0 };
  return cells;
}

const widthOf = (cells: Cells): number =>
  Object.values(cells).reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), MARKS);

const heading = (cells: Cells): Line => [
  span(sanitize(' '.repeat(MARKS))),
  span(fitCells(safeText`NODE`, cells.name), 'quiet'),
  span(safeText`  `),
  ...parts(
    { chain: 'CHAIN', block: 'BLOCK', behind: 'BEHIND', history: 'HISTORY', latency: 'LATENCY', version: 'VERSION' },
    cells,
    'quiet',
  ),
];

/** What a node answered, or why it did not. */
function drawAnswer(
  shared: Shared,
  answer: ProbeAnswer | null,
  { cells, heads, history }: { readonly cells: Cells; readonly heads: ChainHeads; readonly history: string },
): Line {
  if (answer === null) return textLine('asking ...', 'quiet');
  switch (answer.kind) {
    case 'not-started':
      return textLine('starts when it is chosen', 'quiet');
    case 'failed':
      return textLine(answer.problem, 'bad');
    case 'answered': {
      const texts = {
        chain: answer.chainId === '' ? '?' : answer.chainId,
        block: answer.block ?? '?',
        behind: behindText(shared, answer, heads),
        history,
        latency: `${answer.latencyMs} ms`,
        version: answer.version === '' ? '?' : answer.version,
      };
      return parts(texts, cells, answer.isArchive !== true && isLagging(shared, answer.ageMs) ? 'bad' : 'plain');
    }
  }
}

/** In time where its newest block is old, as the header would have it: all nodes that answered may stand at one height. */
function behindText(
  shared: Shared,
  answer: Extract<ProbeAnswer, { readonly kind: 'answered' }>,
  heads: ChainHeads,
): string {
  const { ageMs, isArchive } = answer;
  if (isArchive === true) return 'ended';
  if (ageMs !== null && isLagging(shared, ageMs)) {
    const age = ageMs < 0 ? `-${duration(-ageMs)}` : duration(ageMs);
    return age.length > BEHIND_CELLS ? age.replace(' ', '') : age;
  }
  return String(blocksBehind(answer, heads) ?? '-');
}

type Texts = { readonly [part in Exclude<keyof Cells, 'name'>]: string };

const parts = (texts: Texts, cells: Cells, style: Style = 'plain'): Line =>
  (['chain', 'block', 'behind', 'history', 'latency', 'version'] as const).flatMap(part => {
    if (cells[part] === 0) return [];
    const align = part === 'chain' || part === 'version' || part === 'history' ? 'left' : 'right';
    const text = truncateMiddle(sanitize(texts[part]), cells[part]);
    return [span(fitCells(text, cells[part], align), style), span(safeText`  `)];
  });

/** Where the selected node is, and what switching to it would change. */
function about({ node }: Shared, { node: to, answer }: NodeChoiceItem, history: string): readonly Line[] {
  const isInUse = to.name === nodeName(node);
  const chain = answer?.kind === 'answered' ? answer.chainId : '';
  const isOther = chain !== '' && Boolean(node.chainId) && chain !== node.chainId;
  const place = textLine(
    `  ${to.address === '' ? 'the embedded node' : to.address}${isInUse ? '  in use' : ''}`,
    'quiet',
  );
  if (isOther) return [place, textLine(`  another chain: ${chain} in place of ${node.chainId}`, 'pending')];
  return history === '' ? [place] : [place, textLine(`  ${history}`, history.startsWith('same') ? 'quiet' : 'pending')];
}
