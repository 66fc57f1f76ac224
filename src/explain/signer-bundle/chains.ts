import { jsonText } from '../../api/json.ts';
import { type ControlContract, chainIdsIn, contractsIn, PARAMETERS } from '../../insight/signer-bundle/contract.ts';
import type { Row } from '../../resources/resource.ts';
import { askParameter } from '../ask-parameter.ts';
import type { Ask } from '../explanation.ts';

/** The chains a bundle may be for, and the contracts on them. */
export interface Chains {
  /** The chain id of the record, as sent; '' before v0.76. */
  readonly own: string;
  /** Chain ids to try the forms with. */
  readonly ids: readonly string[];
  readonly from: 'record' | 'parameters' | 'nowhere';
  /** Parameters name more chains than are tried. */
  readonly isCut: boolean;
  readonly contracts: readonly ControlContract[];
  /** Parameters the node did not give. */
  readonly unserved: readonly string[];
}

/** The most chains tried and contracts shown; a network has a handful. */
export const MOST_CHAINS = 8;

/** The chain of the record, else the chains in the parameters that name contracts. */
export async function findChains(row: Row, ask: Ask): Promise<Chains> {
  const values = await Promise.all(
    PARAMETERS.map(async parameter => ({ parameter, value: await askParameter(parameter, ask) })),
  );
  const named = values.flatMap(({ value }) => (value === undefined ? [] : chainIdsIn(value)));
  const own = jsonText(row.chainId);
  const ids = [...new Set(/^\d+$/.test(own) ? [own] : named)];
  return {
    own,
    ids: ids.slice(0, MOST_CHAINS),
    from: /^\d+$/.test(own) ? 'record' : ids.length > 0 ? 'parameters' : 'nowhere',
    isCut: ids.length > MOST_CHAINS,
    contracts: values.flatMap(({ parameter, value }) => (value === undefined ? [] : contractsIn(parameter, value))),
    unserved: values.flatMap(({ parameter, value }) => (value === undefined ? [parameter] : [])),
  };
}
