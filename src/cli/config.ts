import { openSettings, type SettingsFile } from '../settings/settings-file.ts';
import { didYouMean } from '../text/nearest.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Command } from './command.ts';
import { editConfig } from './config-edit.ts';
import { showConfig } from './config-show.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit-code.ts';
import type { Given } from './options.ts';
import { PREFERENCE_FLAGS } from './preference-flags.ts';
import { UsageError } from './usage-error.ts';

export const config: Command = {
  form: 'path|show|edit',
  about:
    'the settings: where they are, what each is and where it comes from, or an editor on them (VISUAL, EDITOR) and a check behind it',
  examples: ['config show', 'config path'],
  flags: PREFERENCE_FLAGS,
  uses: ['output'],
  run: async (given, context) => {
    const [action = ''] = given.words;
    const run = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (run === undefined) {
      const names = Object.keys(ACTIONS);
      throw new UsageError(`config what? one of ${names.join(', ')}${didYouMean(action, names)}`);
    }
    const surplus = ['output', ...PREFERENCE_FLAGS.map(({ name }) => name)].find(flag => given.has(flag));
    if (action !== 'show' && surplus !== undefined) throw new UsageError(`--${surplus} is for config show`);
    const file = openSettings(context.env);
    if (file.path === '' && action !== 'show')
      throw new UsageError('there is no home folder to keep settings in: set HOME');
    return run(file, given, context);
  },
};

type Act = (file: SettingsFile, given: Given, context: Context) => Promise<number>;

const ACTIONS: { readonly [action: string]: Act } = {
  path: async ({ path }, _, { stdout }) => {
    await stdout.safe(safeLine(path));
    return EXIT.done;
  },
  show: showConfig,
  edit: (file, _, context) => editConfig(file, context),
};
