import { BLANK, type Line, lineWidth, span } from '../../explorer/core/line.ts';
import type { SessionState } from '../../session/model/state.ts';
import type { WizardStep } from '../../session/model/wizard.ts';
import { sanitize } from '../../text/safe-text.ts';

const STEPS: readonly WizardStep[] = ['table', 'range', 'destination', 'review'];

/** What a step is about, and which of them it is. */
export function wizardTitle(state: SessionState, text: string): readonly Line[] {
  const at = STEPS.indexOf(state.wizard.step);
  const heading = span(sanitize(` ${text}`), 'strong');
  const steps = span(sanitize(at < 0 ? '' : `   step ${at + 1} of ${STEPS.length}`), 'quiet');
  return [lineWidth([heading, steps]) > state.screen.columns ? [heading] : [heading, steps], BLANK];
}
