import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { shownAddress, uncheckedBase } from './api/request.ts';
import { flagged } from './cli/leading-flags.ts';

/** What the first frame has to know of how the lists of a node were left. */
export interface EarlyView {
  readonly tab?: string;
  /** Lists whose line of filters is another one than usual. */
  readonly changed: readonly string[];
}

const NOTHING: EarlyView = { changed: [] };

/**
 * How the explorer will open, as far as two small files say it: a frame of another tab would be seen to jump. Whatever is
 * wrong with them is said by the explorer.
 */
export function earlyView(words: readonly string[], env: NodeJS.ProcessEnv): EarlyView {
  try {
    const views = member(jsonIn(stateOf(env), 'views.json'), 'views');
    if (views === undefined) return NOTHING;
    const settings = jsonIn(settingsOf(env), 'config.json');
    const restore = flagged(words, '--restore') ?? (env.BLOCKGLASS_RESTORE || member(settings, 'restore'));
    if (restore === 'off') return NOTHING;
    const node = flagged(words, '--node') ?? (env.BLOCKGLASS_NODE || member(settings, 'node'));
    const name = words.includes('--demo') || typeof node !== 'string' ? 'demo' : node;
    const view = member(views, name) ?? member(views, shownAddress(uncheckedBase(name)));
    const [tab, lists] = [member(view, 'tab'), member(view, 'lists')];
    const changed = Object.keys(lists ?? {}).filter(id =>
      SEEN.some(part => member(member(lists, id), part) !== undefined),
    );
    return { changed, ...(typeof tab === 'string' && { tab }) };
  } catch {
    return NOTHING;
  }
}

/** What of a list the line of filters tells. */
const SEEN = ['filters', 'sort', 'newestFirst'];

const MOST_BYTES = 1024 * 1024;

function stateOf({ XDG_STATE_HOME: named = '', HOME = '' }: NodeJS.ProcessEnv): string {
  return isAbsolute(named) ? named : join(HOME, '.local', 'state');
}

const settingsOf = ({ XDG_CONFIG_HOME: named = '', HOME }: NodeJS.ProcessEnv): string =>
  isAbsolute(named) ? named : join(HOME || homedir(), '.config');

function jsonIn(folder: string, name: string): unknown {
  const path = join(folder, 'blockglass', name);
  // Without a home folder it would be a file of wherever one happens to be.
  if (!isAbsolute(path)) return undefined;
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() && facts.size <= MOST_BYTES ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}
