import { askParameter } from './ask-parameter.ts';
import type { Ask } from './explanation.ts';

/** The parameter with the asset of stakes, votes and rewards. */
export const REWARD_ASSET = 'reward.asset';

/** The id of that asset; '' if the node does not say. */
export const askRewardAsset = async (ask: Ask): Promise<string> => (await askParameter(REWARD_ASSET, ask)) ?? '';
