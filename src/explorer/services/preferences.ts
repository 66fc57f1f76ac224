import { LAG_SECONDS } from '../../base/settings/preferences.ts';
import type { Settings } from '../../base/settings/settings.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';

/** What a person prefers: by flag, else by the environment, else by the settings file. What is not said is left out. */
export interface Preferences
  extends Omit<Settings, 'node' | 'profiles' | 'exportWaitSeconds' | 'exportIdleSeconds' | 'history'> {
  /** The longest lag was given for this node, which is said to be live by that. */
  readonly isLive?: boolean;
}

/** From when on the node in use counts as behind. */
export const lagLimit = ({ maxLagSeconds = LAG_SECONDS.usual, isLive = false }: Preferences): LagLimit => ({
  ms: maxLagSeconds * 1000,
  isLive,
});
