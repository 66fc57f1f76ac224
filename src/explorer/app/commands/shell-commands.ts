import type { Action } from '../../core/action.ts';
import { open } from '../../openings.ts';
import { HISTORY_KEY, TAB_IDS } from '../../tabs.ts';
import type { Verb } from './verb.ts';

/** A shell command that is not a word of the explorer: the actions that do the same there, or the key for it. */
type ShellCommand = Pick<Verb, 'needs' | 'read'>;

const performActions =
  (...actions: readonly Action[]): ShellCommand['read'] =>
  () => ({ actions });

const refuseWith =
  (problem: string): ShellCommand['read'] =>
  () => ({ problem });

/** With flags and files it runs only in a shell. */
const shellOnly = (name: string, here = ''): ShellCommand => ({
  needs: 'files',
  read: (_, words) => ({ problem: `${here}in a shell: blockglass ${[name, ...words].join(' ')}` }),
});

/**
 * Every shell command without a word of its own in the explorer. A command typed out of habit must do its work, or show
 * where that is done: it is never a value to look up.
 */
export const SHELL_COMMANDS: { readonly [command: string]: ShellCommand } = {
  explore: {
    read: (_, [tab = '']) =>
      TAB_IDS.includes(tab)
        ? { actions: [{ type: 'go-to-resource', resource: tab }] }
        : { problem: `explore needs a tab: ${TAB_IDS.join(', ')}` },
  },
  help: { read: performActions({ type: 'open-menu', id: 'keys' }) },
  check: { read: performActions({ type: 'go-to-resource', resource: 'overview' }) },
  segments: { read: performActions({ type: 'go-to-resource', resource: 'history' }) },
  fetch: { needs: 'exports', read: performActions({ type: 'go-to-resource', resource: 'history' }) },
  diff: {
    needs: 'snapshots',
    read: (_, words) =>
      words.length === 0 || words.join(' ') === 'yesterday'
        ? { actions: [open('changes', null)] }
        : { problem: `D compares with yesterday; in a shell: blockglass diff ${words.join(' ')}` },
  },
  answer: {
    needs: 'files',
    read: refuseWith(`press a on the History tab (${HISTORY_KEY}); in a shell: blockglass answer`),
  },
  report: {
    needs: 'files',
    read: refuseWith(`press R on the History tab (${HISTORY_KEY}); in a shell: blockglass report`),
  },
  record: shellOnly('record', ', and . step through snapshots; '),
  verify: shellOnly('verify', `exports are checked while they download (tab ${HISTORY_KEY}); `),
  audit: shellOnly('audit', `press A on the History tab (${HISTORY_KEY}); `),
  convert: shellOnly('convert'),
  query: shellOnly('query'),
  config: shellOnly('config', ':theme, :charset and :selection change how it looks; '),
  serve: shellOnly('serve'),
  completion: shellOnly('completion'),
};
