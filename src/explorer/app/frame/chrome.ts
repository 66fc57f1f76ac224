import { safeText } from '../../../base/text/safe-text.ts';
import { cutLine, justifyLine, type Line, lineWidth, span, textLine } from '../../core/line.ts';
import { type RuleParts, ruleTitle, titledRule } from '../../core/rule.ts';
import type { SessionState } from '../../core/state.ts';
import { type Spinner, spinnerFrame, type Wait, waitText } from '../../services/wait.ts';
import { currentWait, downloadWaits } from '../current-wait.ts';
import { asPage, bodyScreen, downloadOnScreen } from '../open-screens.ts';

/** What the screen says of itself, in the rule below the tabs. */
export const headParts = (state: SessionState, top = bodyScreen(state)): RuleParts =>
  (top && asPage(top.screen)?.around.head(top.layer.state, top.context)) ?? [];

/** The line above the footer: the last notice, the current wait, and running downloads. */
export function drawStatus(state: SessionState, top = bodyScreen(state), titleBelow = ''): Line {
  const { screen } = state;
  const right = drawDownloads(state, top);
  const left = drawNotice(state) ?? drawLongWait(state, right, top) ?? drawProgress(top) ?? [];
  if (left.length > 0 || right.length > 0) return justifyLine(left, right, screen.columns);
  return titledRule(titleBelow === '' ? [] : [ruleTitle(titleBelow)], screen.columns);
}

type Top = ReturnType<typeof bodyScreen>;

/** At the right, where no screen shows them. */
function drawDownloads(state: SessionState, top: Top): Line {
  const { spin } = state;
  const texts = hiddenDownloads(state, top).map(({ text }) => text);
  if (texts.length === 0) return [];
  return [
    ...(spin === null ? [] : textLine(`${spinnerFrame(spin)} `, 'accent')),
    ...textLine(`${texts.join('; ')} `, 'pending'),
  ];
}

function hiddenDownloads(state: SessionState, top: Top): readonly Wait[] {
  const shown = downloadOnScreen(top);
  const { job, fetch } = downloadWaits(state);
  const waits = [shown === 'job' ? undefined : job, shown === 'fetch' ? undefined : fetch];
  return waits.filter(wait => wait !== undefined);
}

const drawNotice = ({ notice }: SessionState): Line | undefined =>
  notice === null ? undefined : textLine(` ${notice.text}`, notice.tone === 'info' ? 'accent' : notice.tone);

function drawLongWait(state: SessionState, right: Line, top: Top): Line | undefined {
  const { spin, screen } = state;
  const wait = spin === null ? undefined : currentWait(state);
  if (spin === null || wait === undefined) return undefined;
  const isOnRight = right.length > 0 && DOWNLOAD.test(wait.key);
  const shown = downloadOnScreen(top);
  const isOnScreen = shown !== undefined && wait.key === downloadWaits(state)[shown]?.key;
  return isOnRight || isOnScreen ? undefined : drawWait(wait, spin, screen.columns);
}

/** The keys of waits that the right part has. */
const DOWNLOAD = /^(?:export|fetch) \d+$/;

/** With a moving spinner before it; what is waited for gives way to the hint, unless little of it would be left. */
function drawWait(wait: Wait, spin: Spinner, cells: number): Line {
  const said: Line = [...textLine(` ${spinnerFrame(spin)} `, 'accent'), ...textLine(waitText(wait, spin), 'pending')];
  const hint = wait.hint === undefined ? [] : textLine(`  ${wait.hint}`, 'quiet');
  const room = cells - lineWidth(hint);
  return room < MIN_WAIT_CELLS ? cutLine(said, cells) : [...cutLine(said, room), ...hint];
}

const MIN_WAIT_CELLS = 20;

function drawProgress(top: Top): Line | undefined {
  const going = top && asPage(top.screen)?.around.progress?.(top.layer.state, top.context);
  if (going === undefined) return undefined;
  return typeof going === 'string' ? textLine(` ${going}`, 'pending') : [span(safeText` `), ...going];
}
