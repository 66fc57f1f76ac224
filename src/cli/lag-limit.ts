import { LAG_SECONDS, PREFERENCES } from '../base/settings/preferences.ts';
import { isWholeFileFault, settingsFaultTextWithFile } from '../base/settings/settings-faults.ts';
import { safeLine } from '../base/text/safe-text.ts';
import type { LagLimit } from '../chain/insight/node-lag.ts';
import type { Context, Target } from './context.ts';
import type { Flag, ParsedFlags } from './flags.ts';
import { readPreferences } from './preference-flags.ts';

export const MAX_LAG_FLAG: Flag = {
  name: 'max-lag',
  kind: 'number',
  least: LAG_SECONDS.least,
  most: LAG_SECONDS.most,
  value: 'SECONDS',
  about:
    'report a node as behind when its newest block is older than this, even if the chain seems to have ended (BLOCKGLASS_MAX_LAG, else its profile; else 60 while the chain runs)',
};

const MAX_LAG_PREFERENCE = PREFERENCES.filter(({ name }) => name === 'maxLagSeconds');

/** From the flag or the variable, which declare the node live; else from the settings for all nodes. */
export async function readLagLimit(given: ParsedFlags, context: Context): Promise<LagLimit> {
  const { maxLagSeconds: said } = readPreferences(given, context.env, MAX_LAG_PREFERENCE);
  if (said !== undefined) return { ms: said * 1000, isLive: true };
  const { maxLagSeconds = LAG_SECONDS.usual, faults = [], file = '' } = await context.settings();
  const fault = faults.find(found => isWholeFileFault(found) || found.path[0] === 'maxLagSeconds');
  if (fault !== undefined)
    await context.stderr.safe(
      safeLine(`note: ${settingsFaultTextWithFile(file, fault)}; using maxLagSeconds ${LAG_SECONDS.usual}`),
    );
  return { ms: maxLagSeconds * 1000, isLive: false };
}

/** The same for one node: its profile may declare it live, with the lag it may have. */
export const lagLimitOfNode = (general: LagLimit, { maxLagSeconds }: Pick<Target, 'maxLagSeconds'>): LagLimit =>
  general.isLive || maxLagSeconds === undefined ? general : { ms: maxLagSeconds * 1000, isLive: true };
