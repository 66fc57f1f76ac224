import { CHARSETS, PREVIEW_MODES, SELECTION_STYLES, THEME_NAMES } from '../../../base/settings/preferences.ts';
import { isSnapshotName } from '../../../memory/record/parse-moment.ts';
import type { AppearancePreferences } from '../../core/appearance.ts';
import type { SessionState } from '../../core/state.ts';
import { copyItems } from '../copying.ts';
import { momentNode } from '../switch-node.ts';
import { verbsOfScreens } from './screen-verbs.ts';
import type { CommandOutcome, Verb } from './verb.ts';

/** `:at`: a snapshot of the chain instead of its node. */
export const AT_VERB: Verb = {
  needs: 'snapshots',
  help: ['at TIME|ID|now', 'show a snapshot: yesterday, 2h, 2026-10-01, an id; now: the node'],
  read: ({ node }, words) => {
    const word = words.join(' ');
    const forms = 'yesterday, 2h, 2026-10-01, the id of a snapshot, or now';
    if (word === '') return { problem: `at when? ${forms}` };
    if (word !== 'now' && !isSnapshotName(word, node.nowMs)) return { problem: `not "${word}": ${forms}` };
    if (word !== 'now') return { actions: [{ type: 'choose-node', to: momentNode(node, word) }] };
    const { choice } = node;
    if (choice.kind !== 'moment') return { problem: 'already showing the live node' };
    return node.cameFrom !== null && node.cameFrom.choice.kind !== 'moment'
      ? { actions: [{ type: 'choose-node', to: node.cameFrom }] }
      : { actions: [{ type: 'choose-node', to: { choice: choice.of, name: 'now', address: '' } }] };
  },
  complete: (_, words) => (words.length === 1 ? ['yesterday', 'now'] : []),
};

/** `:copy csv`: an item of the menu by its name or a part of the name. */
export const COPY_VERB: Verb = {
  help: ['copy WHAT', 'what y offers, by its name: csv, markdown, record, curl'],
  complete: state => copyItemNames(state),
  read: copyNamed,
};

const copyItemNames = (state: SessionState): readonly string[] => copyItems(state).map(({ label }) => label);

function copyNamed(state: SessionState, words: readonly string[]): CommandOutcome {
  const items = copyItems(state);
  const wanted = words.join(' ').toLowerCase();
  if (wanted === '') return { actions: [{ type: 'open-menu', id: 'copy' }] };
  const named = items.filter(({ label }) => label.toLowerCase() === wanted);
  const found =
    named.length > 0 ? named.slice(0, 1) : items.filter(({ label }) => label.toLowerCase().includes(wanted));
  const [item, ...others] = found;
  if (item === undefined) return { problem: `nothing to copy is called "${wanted}": y lists the choices` };
  if (others.length > 0) return { problem: `which: ${found.map(({ label }) => label).join(', ')}?` };
  return { actions: [item.action] };
}

/** How the explorer looks, from now on until it ends. */
export const APPEARANCE_VERBS: { readonly [verb: string]: Verb } = {
  theme: appearanceVerb('theme', THEME_NAMES, 'colours', theme => ({ theme })),
  charset: appearanceVerb('charset', CHARSETS, 'characters that may be drawn', charset => ({ charset })),
  preview: appearanceVerb('preview', PREVIEW_MODES, 'the selected record next to the list', preview => ({ preview })),
  selection: appearanceVerb('selection', SELECTION_STYLES, 'how the selected row is marked', selection => ({
    selection,
  })),
};

function appearanceVerb<Word extends string>(
  name: string,
  values: readonly Word[],
  about: string,
  said: (word: Word) => AppearancePreferences,
): Verb {
  return {
    help: [`${name} NAME`, `${about}: ${values.join(', ')}`],
    complete: (_, words) => (words.length > 1 ? [] : values),
    read: (_, words) => {
      const typed = words.join(' ');
      const value = values.find(word => word === typed.toLowerCase());
      return value === undefined
        ? { problem: `${name} is one of ${values.join(', ')}, not "${typed}"` }
        : { actions: [{ type: 'set-looks', said: said(value) }] };
    },
  };
}

/** `:view FILE`, of an export that lies on the disk. */
export const VIEW_VERB: Verb = {
  needs: 'files',
  help: ['view FILE', 'look at an export on the disk: ZIP, folder of slices, Parquet'],
  read: (_, words) => {
    const isEvenIncomplete = words[0] === EVEN_INCOMPLETE;
    const path = words.slice(isEvenIncomplete ? 1 : 0).join(' ');
    if (path === '') return { problem: 'view needs a ZIP file, a folder of slices or of Parquet' };
    return { actions: [{ type: 'open-files', files: { paths: [path], isEvenIncomplete, question: null } }] };
  },
  complete: (_, words) => (words.length === 1 ? [EVEN_INCOMPLETE] : []),
};

const EVEN_INCOMPLETE = '--even-incomplete';

/** `:range e20..e25`, of the answer that is open on the History tab. */
export const RANGE_VERB: Verb = {
  help: ['range FIRST..LAST', 'the answer for another range: e20..e25, dates, all, asked'],
  read: (state, words) => {
    const verb = verbsOfScreens({ ...state, tab: 'history' }).range;
    if (verb === undefined) return { problem: 'no answer is open: press a on the History tab to ask' };
    const outcome = verb.read(state, words);
    if ('problem' in outcome) return outcome;
    return { actions: [{ type: 'go-to-resource', resource: 'history' }, ...outcome.actions] };
  },
  complete: (_, words) => (words.length === 1 ? ['all', 'asked'] : []),
};
