import { jsonText, member } from '../api/json.ts';
import { REWARD_ASSET } from '../directory/counted.ts';
import type { Ask } from './explanation.ts';

/** The value of a network parameter; undefined if the node does not give it. */
export async function askParameter(key: string, ask: Ask): Promise<string | undefined> {
  const parameter = member(await ask({ path: `api/v2/network/parameters/${key}`, query: [] }), 'networkParameter');
  const value = member(parameter, 'value');
  return value === undefined || jsonText(member(parameter, 'key')) !== key ? undefined : jsonText(value);
}

/** The id of the asset of stakes, votes and rewards; '' if the node does not say. */
export const askRewardAsset = async (ask: Ask): Promise<string> => (await askParameter(REWARD_ASSET, ask)) ?? '';
