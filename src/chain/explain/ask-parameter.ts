import { isNotServed, type NodeError } from '../api/errors.ts';
import { jsonText, member } from '../api/json.ts';
import type { NodeRequest } from '../api/request.ts';
import { REWARD_ASSET } from '../directory/denomination.ts';
import { networkParameters } from '../resources/network-parameters.ts';
import { MAX_PAGE_SIZE } from '../resources/page-request.ts';
import type { Ask } from './explanation.ts';

/**
 * The value of a network parameter; undefined if the node does not give it. If the node refuses, the list is requested:
 * single parameters may not be served.
 */
export async function askParameter(
  key: string,
  ask: Ask,
  onFailure?: (error: NodeError) => void,
): Promise<string | undefined> {
  let isListed = false;
  const alone = await ask({ path: `${networkParameters.path}/${key}`, query: [] }, error => {
    isListed = isNotServed(error);
    if (!isListed) onFailure?.(error);
  });
  const answer = isListed ? await ask(PARAMETER_LIST, onFailure) : undefined;
  const listed = answer === undefined ? [] : (networkParameters.page(answer)?.rows ?? []);
  const values = [member(alone, 'networkParameter'), ...listed]
    .filter(parameter => jsonText(member(parameter, 'key')) === key)
    .map(parameter => member(parameter, 'value'));
  const [value] = values;
  return value === undefined ? undefined : jsonText(value);
}

const PARAMETER_LIST: NodeRequest = {
  path: networkParameters.path,
  query: [['pagination.first', String(MAX_PAGE_SIZE)]],
};

/** The id of the asset of stakes, votes and rewards; '' if the node does not report it. */
export const askRewardAsset = async (ask: Ask): Promise<string> => (await askParameter(REWARD_ASSET, ask)) ?? '';
