import { readPreset } from '../../export/plan/typed-export.ts';
import { presetNameProblem } from '../../settings/presets.ts';
import { didYouMean } from '../../text/nearest.ts';
import { presetWords } from '../model/preset-words.ts';
import type { SessionState } from '../model/state.ts';
import { planOf } from '../model/wizard.ts';
import { fillExport } from './fill-export.ts';
import type { MenuItem } from './menu-item.ts';
import { withNotice } from './transitions.ts';
import type { Verb } from './verb.ts';

const NO_PROFILE = 'presets are kept with a profile: blockglass node add NAME URL';

/** Why there is no list of presets now. */
export const noPresets = ({ wizard }: SessionState): string | undefined =>
  wizard.presets === null ? NO_PROFILE : undefined;

/** The presets of the profile; the last line says how there is one more. */
export function presetItems({ wizard }: SessionState): readonly MenuItem[] {
  const kept = Object.entries(wizard.presets ?? {}).map(
    ([name, words]): MenuItem => ({
      mark: '',
      label: name,
      detail: words.join(' '),
      action: { type: 'use-preset', name },
    }),
  );
  const how = 'type :preset save NAME at the review, or after an export';
  return [
    ...kept,
    { mark: '+', label: 'keep what is chosen', detail: how, action: { type: 'noticed', text: how }, off: how },
  ];
}

/** Fills the wizard with a preset and looks for its range. */
export function fillWithPreset(state: SessionState, name: string): SessionState {
  const { presets } = state.wizard;
  const words = presets !== null && Object.hasOwn(presets, name) ? presets[name] : undefined;
  if (words === undefined) return withNotice(state, `there is no preset "${name}"`, 'bad');
  const { table, ...choice } = readPreset(words);
  return fillExport(state, { ...choice, tables: table === undefined ? [] : [table] }, 'range');
}

/** Wishes for what is chosen to be kept. */
export function keepPreset(state: SessionState, name: string): SessionState {
  const { wizard, node, ticket } = state;
  const plan = planOf(wizard);
  if (wizard.presets === null) return withNotice(state, NO_PROFILE, 'bad');
  if (plan === undefined) return withNotice(state, 'a valid range is needed first: the export tab has it', 'bad');
  const saving = { ticket: ticket + 1, profile: node.label, name, words: presetWords(wizard, plan) };
  return { ...state, ticket: ticket + 1, wizard: { ...wizard, saving } };
}

export const PRESET_VERB: Verb = {
  help: ['preset [save] NAME', 'fill the export with a preset, or keep what is chosen as one'],
  complete: ({ wizard }, words) =>
    words.length === 1
      ? ['save', ...Object.keys(wizard.presets ?? {})]
      : words[0] === 'save'
        ? Object.keys(wizard.presets ?? {})
        : [],
  read: ({ wizard }, [first = '', ...rest]) => {
    const names = Object.keys(wizard.presets ?? {});
    if (wizard.presets === null) return { problem: NO_PROFILE };
    if (first === 'save') {
      const name = rest.join(' ');
      const problem = presetNameProblem(name);
      return problem === undefined ? { actions: [{ type: 'keep-preset', name }] } : { problem };
    }
    if (names.includes(first) && rest.length === 0) return { actions: [{ type: 'use-preset', name: first }] };
    const there = names.length === 0 ? 'there are none yet: preset save NAME' : `there are ${names.join(', ')}`;
    return { problem: `no preset "${[first, ...rest].join(' ')}": ${there}${didYouMean(first, names)}` };
  },
};
