import type { ProgramEvent } from '../core/action.ts';
import type { FileName } from '../core/file-name.ts';
import type { SessionState } from '../core/state.ts';
import type { PromptOpening } from '../openings.ts';
import type { Saving } from '../services/copying/content.ts';
import { lacksUnits } from '../services/copying/content-text.ts';
import { ENDINGS, type FileEnding, type Saveable } from '../services/copying/saveable.ts';
import type { Verb } from './commands/verb.ts';
import { askToConfirm } from './confirmations.ts';
import { openOver } from './layers.ts';
import { isOverlaid, topScreen } from './open-screens.ts';
import { withNotice } from './transitions.ts';

/** `:save FILE`, from the view below. */
export const SAVE_VERB: Verb = {
  needs: 'files',
  help: ['save FILE', `the view to a file: ${ENDINGS.map(ending => `.${ending}`).join(' ')}`],
  read: (_, words) => {
    const path = words.join(' ');
    return { actions: [path === '' ? { type: 'open-prompt', id: 'save' } : { type: 'save', path }] };
  },
};

/** Requests writing the view to a file, or shows the problem with the file name. */
export function saveAs(state: SessionState, typed: string): SessionState {
  const view = currentSaveable(state);
  if (typeof view === 'string') return withNotice(state, view);
  const ending = fileEndingOf(typed);
  // Only an ending is meant for the proposed name: a file called `.md` would not even be listed.
  const path = ending !== undefined && typed.length === ending.length + 1 ? proposedFileName(state, ending) : typed;
  if (ending === undefined || !view.endings.includes(ending))
    return askFileNameAgain(state, path, `the name ends in ${view.endings.map(known => `.${known}`).join(' ')}`);
  const lastId = state.lastId + 1;
  const content = view.content(ending);
  const what = content.kind === 'screen' ? 'the screen' : view.what;
  const saving: Saving = { requestId: lastId, content, what, path, isAsked: false, mayReplace: false };
  return { ...state, lastId, saving };
}

const fileEndingOf = (path: string): FileEnding | undefined =>
  ENDINGS.find(ending => path.toLowerCase().endsWith(`.${ending}`));

/** Shows the typed name again, with its problem. */
const askFileNameAgain = (state: SessionState, path: string, problem: string): SessionState =>
  openOver({ ...state, saving: null }, 'prompt', { ...FILE_NAME, text: path, problem });

/** The prompt for the name of a file, with a proposed name that describes the content. */
export function savePrompt(state: SessionState): PromptOpening {
  const view = currentSaveable(state);
  const text = typeof view === 'string' ? '' : proposedFileName(state, view.endings[0] ?? 'txt');
  return { ...FILE_NAME, text, isProposed: true };
}

const FILE_NAME: PromptOpening = {
  label: 'save as',
  text: '',
  hint: endingsHint,
  done: (_, path) => ({ actions: [{ type: 'save', path }] }),
};

/** What a file would hold. */
function endingsHint(below: SessionState, columns: number): string {
  const view = currentSaveable(below);
  if (typeof view === 'string') return '';
  const endings = view.endings.join(' ');
  const whole = `${view.what}: ${endings}`;
  // The name that is typed has half of the line.
  return (whole.length + 2) * 2 + LABEL_CELLS > columns ? endings : whole;
}

const LABEL_CELLS = ` ${'save as'}: `.length;

/** The user confirms that the file may be replaced. */
export function replaceFile(state: SessionState): SessionState {
  const { saving } = state;
  if (saving === null) return state;
  const lastId = state.lastId + 1;
  return { ...state, lastId, saving: { ...saving, requestId: lastId, isAsked: false, mayReplace: true } };
}

/** The person would rather name another. */
export function keepFile(state: SessionState): SessionState {
  const { saving } = state;
  return saving === null ? state : openOver({ ...state, saving: null }, 'prompt', { ...FILE_NAME, text: saving.path });
}

export function finishSaving(
  state: SessionState,
  fact: Extract<ProgramEvent, { readonly type: 'saved' | 'not-saved' }>,
): SessionState {
  const { saving } = state;
  if (saving?.requestId !== fact.requestId) return state;
  const done = { ...state, saving: null };
  // The person may have gone on to something else: do not interrupt.
  const isFree = !isOverlaid(state);
  if (fact.type === 'not-saved')
    return isFree ? askFileNameAgain(state, saving.path, fact.problem) : withNotice(done, fact.problem, 'bad');
  const { kind, path } = fact.saved;
  if (kind === 'saved') return withNotice(done, `saved ${saving.what} to ${path}${unitsNote(saving)}`, 'good');
  if (!isFree) return withNotice(done, `${path} exists: nothing was saved`, 'bad');
  return askToConfirm({ ...state, saving: { ...saving, isAsked: true } }, { about: 'replace-file' });
}

/** Added to a copy or a file of amounts that was made before their units were known. */
export const unitsNote = ({ content }: Pick<Saving, 'content'>): string => (lacksUnits(content) ? ', no units' : '');

/** The content of the current screen that can be saved; a sentence if there is nothing to save. */
function currentSaveable(state: SessionState): Saveable | string {
  const top = topScreen(state);
  if (top === undefined) return 'no rows to save';
  return top.screen.output?.file?.saves(top.layer.state, top.context) ?? `${top.screen.title} cannot be saved`;
}

/** A name for a file with the content of the screen: `provisions-market-8a2f-20261122T134005Z.csv`. */
export function proposedFileName(state: SessionState, ending: string, what = ''): string {
  const top = topScreen(state);
  const file: FileName = top?.screen.output?.file?.name(top.layer.state) ?? { parts: [] };
  const { atMs } = file;
  const parts = what === '' ? file.parts : [what];
  const time = new Date(atMs ?? state.node.nowMs).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  const name = [...parts.map(portableName).filter(part => part !== ''), time].join('-').slice(-MAX_FILE_NAME_LENGTH);
  // Where it was cut it might begin as a flag or a hidden file does.
  return `${name.replace(/^[-._]+/, '')}.${ending}`;
}

const MAX_FILE_NAME_LENGTH = 100;

/** What every file system takes, and no shell for more than a name. */
const portableName = (text: string): string => text.replaceAll(/[^A-Za-z0-9.]+/g, '_').replaceAll(/^[._]+|[._]+$/g, '');
