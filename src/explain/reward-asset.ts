import { jsonText, member } from '../api/json.ts';
import type { Ask } from './explanation.ts';

/** The parameter that names the asset of stakes, votes and rewards. */
export const REWARD_ASSET = 'reward.asset';

/** The id of that asset; '' where the node does not say. */
export async function askRewardAsset(ask: Ask): Promise<string> {
  const answer = await ask({ path: `api/v2/network/parameters/${REWARD_ASSET}`, query: [] });
  return jsonText(member(member(answer, 'networkParameter'), 'value'));
}
