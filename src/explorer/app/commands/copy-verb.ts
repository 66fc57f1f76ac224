import type { SessionState } from '../../core/state.ts';
import { copyItems } from '../copy-items.ts';
import type { CommandOutcome, Verb } from './verb.ts';

/** `:copy csv`: an item of the menu by its name or a part of it. */
export const COPY_VERB: Verb = {
  help: ['copy WHAT', 'what y offers, by its name: csv, markdown, record, curl'],
  complete: state => namesIn(state),
  read: copyNamed,
};

const namesIn = (state: SessionState): readonly string[] => copyItems(state).map(({ label }) => label);

function copyNamed(state: SessionState, words: readonly string[]): CommandOutcome {
  const items = copyItems(state);
  const wanted = words.join(' ').toLowerCase();
  if (wanted === '') return { actions: [{ type: 'open-menu', id: 'copy' }] };
  const named = items.filter(({ label }) => label.toLowerCase() === wanted);
  const found =
    named.length > 0 ? named.slice(0, 1) : items.filter(({ label }) => label.toLowerCase().includes(wanted));
  const [item, ...others] = found;
  if (item === undefined) return { problem: `nothing here is called "${wanted}": y lists what can be copied` };
  if (others.length > 0) return { problem: `which: ${found.map(({ label }) => label).join(', ')}?` };
  return { actions: [item.action] };
}
