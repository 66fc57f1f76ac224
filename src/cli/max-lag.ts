import { LAG_SECONDS, PREFERENCES } from '../settings/preferences.ts';
import { faultIn, isWhole } from '../settings/settings-faults.ts';
import { safeLine } from '../text/safe-text.ts';
import type { Context } from './context.ts';
import type { Flag, Given } from './options.ts';
import { preferencesGiven } from './preference-flags.ts';

export const MAX_LAG_FLAG: Flag = {
  name: 'max-lag',
  kind: 'number',
  value: 'SECONDS',
  about:
    'report a node as behind when its newest block is older than this (BLOCKGLASS_MAX_LAG, else the setting, else 60)',
};

const MAX_LAG = PREFERENCES.filter(({ name }) => name === 'maxLagSeconds');

/** Seconds: of the flag, the variable or the settings. */
export async function maxLagOf(given: Given, context: Context): Promise<number> {
  const { maxLagSeconds: said } = preferencesGiven(given, context.env, MAX_LAG);
  if (said !== undefined) return said;
  const { maxLagSeconds = LAG_SECONDS.usual, faults = [], file = '' } = await context.settings();
  const fault = faults.find(found => isWhole(found) || found.path[0] === 'maxLagSeconds');
  if (fault !== undefined)
    await context.stderr.safe(safeLine(`note: ${faultIn(file, fault)}; using ${LAG_SECONDS.usual}`));
  return maxLagSeconds;
}
