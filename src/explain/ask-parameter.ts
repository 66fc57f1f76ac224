import { jsonText, member } from '../api/json.ts';
import type { Ask } from './explanation.ts';

/** The value of a network parameter; undefined if the node does not give it. */
export async function askParameter(key: string, ask: Ask): Promise<string | undefined> {
  const parameter = member(await ask({ path: `api/v2/network/parameters/${key}`, query: [] }), 'networkParameter');
  const value = member(parameter, 'value');
  return value === undefined || jsonText(member(parameter, 'key')) !== key ? undefined : jsonText(value);
}
