import { claimTerminal, releaseTerminal } from './claimed-terminal.ts';
import { COMMANDS, programHelp } from './cli/commands.ts';
import { type Context, targetOf } from './cli/context.ts';
import { describeError } from './cli/describe-error.ts';
import { EXIT, exitCodeFor } from './cli/exit-code.ts';
import { COMMON_FLAGS, type Flag, type Given, readFlags } from './cli/options.ts';
import { PREFERENCE_FLAGS, preferencesGiven } from './cli/preference-flags.ts';
import { UsageError } from './cli/usage-error.ts';
import { cacheFolder } from './directory/cache-folder.ts';
import { explorerNodes } from './explorer-nodes.ts';
import { showLinesInstead } from './lines-instead.ts';
import { TAB_IDS } from './session/model/tabs.ts';
import { knownSettings, openSettings } from './settings/settings-file.ts';
import { stateFolder } from './settings/state-folder.ts';
import { SCREEN_READER, terminalKind } from './terminal-kind.ts';
import { didYouMean } from './text/nearest.ts';
import { safeLine } from './text/safe-text.ts';
import { wipeEcho } from './wipe-echo.ts';

/** Of the explorer alone. */
export const EXPLORER_FLAGS: readonly Flag[] = [
  ...PREFERENCE_FLAGS,
  { name: 'plain-output', kind: 'switch', about: 'no cell-level output' },
  { name: SCREEN_READER, kind: 'switch', about: 'lines to be read out, no screen (INK_SCREEN_READER=true)' },
];

/** The first rows come a twelfth later when the young generation may not grow while the program is loaded. */
const STARTED_AFTER_MS = 1500;

/** Opens the explorer on the node and the tab that the command line names; resolves with the exit code. */
export async function runExplore(words: readonly string[], context: Context): Promise<number> {
  try {
    const view = words[0] === 'view' ? await import('./cli/view.ts') : undefined;
    const flags = [...COMMON_FLAGS, ...EXPLORER_FLAGS, ...(view?.OWN_FLAGS ?? [])];
    const given = readFlags(view === undefined ? words : words.slice(1), flags);
    if (given.has('help')) {
      await context.stdout.safe(programHelp(context.tabs));
      return EXIT.done;
    }
    if (given.has('output')) throw new UsageError('the explorer has no -o, --output: list, show and segments print');
    const viewed = view === undefined ? undefined : await view.whatToView(given);
    const named = viewed === undefined ? tabNamed(given) : 'export';
    const said = preferencesGiven(given, context.env);
    // A wrong address, or one that is in doubt, is said before the screen is taken; everything slower happens after the first frame.
    const file = openSettings(context.env);
    const target = await targetOf(given, { env: context.env, settings: async () => knownSettings(file) });
    const { stdin, stdout } = process;
    const kind = terminalKind(words, context.env);
    if (kind === 'no-cursor') return await showLinesInstead(given, named ?? TAB_IDS[0] ?? '', context);
    if (!stdin.isTTY || !stdout.isTTY)
      throw new UsageError('the explorer needs a terminal: use list, show, segments or export (blockglass --help)');
    const folder = stateFolder(context.env);
    const nodes = explorerNodes(
      { given, said, file, target, folder, isUnasked: viewed?.isNodeUnasked === true },
      context,
    );
    setTimeout(async () => (await import('./cli/young-memory.ts')).keepYoungMemory(), STARTED_AFTER_MS).unref();
    const { explore } = await import('./explorer/explorer.tsx');
    const { host } = claimTerminal();
    wipeEcho(process);
    const { isInterrupted, parting } = await explore({
      host,
      stdin,
      stdout,
      env: context.env,
      tab: named ?? TAB_IDS.find(tab => tab === nodes.view.tab) ?? TAB_IDS[0] ?? '',
      label: viewed?.isNodeUnasked === true ? '' : target.label,
      viewed: viewed ?? {},
      preferences: nodes.preferences,
      colour: nodes.colour,
      view: nodes.view,
      program: `blockglass ${context.version}`,
      hasColour: !given.has('no-color'),
      isPlainOutput: given.has('plain-output'),
      isScreenReader: kind === 'screen-reader',
      nodes,
      namesFolder: cacheFolder(context.env),
      stateFolder: folder,
    });
    releaseTerminal();
    if (parting !== '') await context.stderr.safe(safeLine(parting));
    return isInterrupted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    releaseTerminal();
    await context.stderr.safe(describeError(error));
    return exitCodeFor(error);
  }
}

function tabNamed(given: Given): string | undefined {
  const [tab, ...others] = given.words;
  if (tab !== undefined && !TAB_IDS.includes(tab))
    throw new UsageError(
      `there is no command or tab "${tab}"${didYouMean(tab, ['help', ...Object.keys(COMMANDS), ...TAB_IDS])}`,
      ['blockglass --help lists the commands', `the tabs are ${TAB_IDS.join(', ')}`],
    );
  if (others.length > 0) throw new UsageError(`one tab, not ${given.words.join(' ')}`);
  return tab;
}
