import { sanitize } from '../../../base/text/safe-text.ts';
import { BLANK, type Line, lineWidth, span } from '../../core/line.ts';
import type { Wizard, WizardStep } from './state.ts';

const STEPS: readonly WizardStep[] = ['table', 'range', 'destination', 'review'];

/** The subject of a step, and its number. */
export function stepTitle({ step }: Wizard, columns: number, text: string): readonly Line[] {
  const at = STEPS.indexOf(step);
  const heading = span(sanitize(` ${text}`), 'strong');
  const steps = span(sanitize(at < 0 ? '' : `   step ${at + 1} of ${STEPS.length}`), 'quiet');
  return [lineWidth([heading, steps]) > columns ? [heading] : [heading, steps], BLANK];
}
