import type { SessionState } from '../model/state.ts';
import type { Wizard } from '../model/wizard.ts';
import { isOverlaid } from './layers.ts';
import { nextStep } from './wizard-keys.ts';

/** Takes the steps that nobody has to be asked about, as Enter would, once what they wait for is there. */
export function goOnward(state: SessionState): SessionState {
  const { wizard } = state;
  const { onward, asking, locating, checking, failure } = wizard;
  if (onward === null || failure !== null || asking !== null || locating !== null || checking !== null) return state;
  const isHeld = wizard.problem !== null || isOverlaid(state);
  if (isHeld || isThere(wizard, onward)) return { ...state, wizard: { ...wizard, onward: null } };
  return goOnward(nextStep(state));
}

const isThere = ({ step, rangeWords }: Wizard, onward: 'range' | 'review'): boolean =>
  onward === 'range' ? rangeWords !== null : step !== 'range' && step !== 'destination';
