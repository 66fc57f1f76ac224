import { LAG_SECONDS } from '../../base/settings/preferences.ts';
import type { Settings } from '../../base/settings/settings.ts';
import type { LagLimit } from '../../chain/insight/node-lag.ts';

/**
 * The user's preferences: from flags, otherwise the environment, otherwise the settings file. Unset ones are left out.
 */
export interface Preferences
  extends Omit<Settings, 'node' | 'profiles' | 'exportWaitSeconds' | 'exportIdleSeconds' | 'history'> {
  /** The longest lag was set for this node, which implies that it is live. */
  readonly isLive?: boolean;
}

/** From when on the node in use counts as behind. */
export const lagLimit = ({ maxLagSeconds = LAG_SECONDS.usual, isLive = false }: Preferences): LagLimit => ({
  ms: maxLagSeconds * 1000,
  isLive,
});
