import { bytesPerSecond } from '../../../export/download/progress.ts';
import { byteCount } from '../../../text/byte-count.ts';
import { repeatSafe, safeText } from '../../../text/safe-text.ts';
import { cutLine, type Line, span, spread, textLine } from '../../core/line.ts';
import type { SessionState } from '../../core/state.ts';
import { bodyScreen } from '../layers.ts';

/** What the screen says of itself, below the tabs. */
export function drawHead(state: SessionState): Line {
  const top = bodyScreen(state);
  return cutLine(top?.screen.head?.(top.layer.state, top.context) ?? [], state.screen.columns);
}

/** The line above the footer: what just happened, and the download that runs. */
export function drawStatus(state: SessionState, top = bodyScreen(state)): Line {
  const { notice, job, screen } = state;
  const running = job?.status === 'running' ? job : undefined;
  const progress = running?.progress;
  const right =
    running === undefined || top?.screen.showsJob?.(top.layer.state) === true
      ? []
      : textLine(
          `export ${running.plan.table.id}: ${progress ? `${byteCount(progress.bytes)}, ${byteCount(bytesPerSecond(progress))}/s` : 'starting'} `,
          'pending',
        );
  const going = top?.screen.progress?.(top.layer.state, top.context);
  const left =
    notice !== null
      ? textLine(` ${notice.text}`, notice.tone === 'info' ? 'accent' : notice.tone)
      : typeof going === 'string'
        ? textLine(` ${going}`, 'pending')
        : going === undefined
          ? []
          : [span(safeText` `), ...going];
  return left.length === 0 && right.length === 0
    ? [span(repeatSafe(safeText`\u2500`, screen.columns), 'quiet')]
    : spread(left, right, screen.columns);
}
