import { repeatSafe, safeText } from '../../../base/text/safe-text.ts';
import { cutLine, type Line, lineWidth, span, spread, textLine } from '../../core/line.ts';
import type { SessionState } from '../../core/state.ts';
import { type Spin, spinSign, type Wait, waitText } from '../../services/wait.ts';
import { bodyScreen, showsJob, waitForJob, waitOf } from '../layers.ts';

/** What the screen says of itself, below the tabs. */
export function drawHead(state: SessionState, top = bodyScreen(state)): Line {
  return cutLine(top?.screen.around?.head(top.layer.state, top.context) ?? [], state.screen.columns);
}

/** The line above the footer: what just happened, what is waited for, and the download that runs. */
export function drawStatus(state: SessionState, top = bodyScreen(state)): Line {
  const { screen } = state;
  const right = drawJob(state, top);
  const left = drawNotice(state) ?? drawLongWait(state, right) ?? drawGoing(top) ?? [];
  return left.length === 0 && right.length === 0
    ? [span(repeatSafe(safeText`\u2500`, screen.columns), 'quiet')]
    : spread(left, right, screen.columns);
}

type Top = ReturnType<typeof bodyScreen>;

/** At the right, where no screen shows it. */
function drawJob({ job, spin }: SessionState, top: Top): Line {
  const wait = waitForJob(job);
  if (wait === undefined || (top !== undefined && showsJob(top))) return [];
  return [...(spin === null ? [] : textLine(`${spinSign(spin)} `, 'accent')), ...textLine(`${wait.text} `, 'pending')];
}

const drawNotice = ({ notice }: SessionState): Line | undefined =>
  notice === null ? undefined : textLine(` ${notice.text}`, notice.tone === 'info' ? 'accent' : notice.tone);

function drawLongWait(state: SessionState, right: Line): Line | undefined {
  const { spin, screen, job } = state;
  const wait = spin === null ? undefined : waitOf(state);
  if (spin === null || wait === undefined) return undefined;
  const isOnRight = right.length > 0 && wait.key === waitForJob(job)?.key;
  return isOnRight ? undefined : drawWait(wait, spin, screen.columns);
}

/** A sign that moves before it; the hint goes where there is no room for it. */
function drawWait(wait: Wait, spin: Spin, cells: number): Line {
  const said: Line = [...textLine(` ${spinSign(spin)} `, 'accent'), ...textLine(waitText(wait, spin), 'pending')];
  const whole = wait.hint === undefined ? said : [...said, ...textLine(`  ${wait.hint}`, 'quiet')];
  return lineWidth(whole) <= cells ? whole : cutLine(said, cells);
}

function drawGoing(top: Top): Line | undefined {
  const going = top?.screen.around?.progress?.(top.layer.state, top.context);
  if (going === undefined) return undefined;
  return typeof going === 'string' ? textLine(` ${going}`, 'pending') : [span(safeText` `), ...going];
}
