import { didYouMean } from '../base/text/nearest-word.ts';
import { UsageError } from './usage-error.ts';

/** What `blockglass COMMAND ACTION` runs. Throws a usage error that lists the actions. */
export function findAction<Run>(command: string, action: string, actions: { readonly [action: string]: Run }): Run {
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (run !== undefined) return run;
  const names = Object.keys(actions);
  const problem = action === '' ? 'missing argument' : `unknown argument "${action}"`;
  const meant = action === '' ? '' : didYouMean(action, names);
  throw new UsageError(`${problem}. Usage: blockglass ${command} ${names.join('|')}${meant}`);
}
