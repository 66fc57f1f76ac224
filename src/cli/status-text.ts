import type { JudgedNode, NodesJudgement } from '../attention/status/compare-nodes.ts';
import { joinSafe, type SafeText, safeLine, safeText } from '../base/text/safe-text.ts';
import { shortenName } from '../base/text/shorten-name.ts';
import { labelledLines } from '../base/text/text-table.ts';
import { archiveText } from '../chain/insight/node-lag.ts';

/** The problems and facts of each node, one line each. Longer lines than `columns` are wrapped. */
export function statusText({ nodes, chains }: NodesJudgement, columns?: number): SafeText {
  const mismatch = safeLine(
    `The nodes are on different chains and compared within each: ${chains.map(shortenName).join(', ')}`,
  );
  const parts = nodes.map(node => nodeText(node, columns));
  return joinSafe(chains.length > 1 ? [...parts, mismatch] : parts, safeText`\n`);
}

function nodeText(node: JudgedNode, columns: number | undefined): SafeText {
  const { name, address, problems, notes, facts, isSilent } = node;
  const title = name === '' ? address : `${name} (${address})`;
  const lines = (label: string, text: string): SafeText => labelledLines(label, text, { labelCells: 11, columns });
  return joinSafe([
    safeLine(`${title}: ${verdict(node)}`),
    ...problems.map(({ text }) => lines('problem', text)),
    ...notes.map(text => lines('note', text)),
    ...(isSilent ? [] : facts.map(({ label, line }) => lines(label.toLowerCase(), line))),
  ]);
}

function verdict({ worst, lag, blockTimeMs }: JudgedNode): string {
  if (worst !== null) return worst.toUpperCase();
  return lag.kind === 'archive' ? archiveText(blockTimeMs) : 'healthy';
}
