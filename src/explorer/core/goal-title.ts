import type { Entity } from '../../chain/directory/entity.ts';
import type { LinkTarget } from '../../chain/resources/links.ts';
import { resourceById } from '../../chain/resources/registry.ts';

export const NOUNS: { readonly [entity in Entity]: string } = {
  market: 'market',
  party: 'party',
  asset: 'asset',
  submitter: 'address',
  epoch: 'epoch',
  node: 'validator',
  spec: 'oracle spec',
  parameter: 'parameter',
};

/** `provisions of this market`, `the market itself`. */
export function goalTitle({ kind, resource, lead }: LinkTarget): string {
  if (kind === 'record' && lead.entity === 'submitter') return 'the validator with this address';
  if (kind === 'record') return `the ${NOUNS[lead.entity]} itself`;
  return `${resourceById(resource)?.title.toLowerCase()} of this ${NOUNS[lead.entity]}`;
}
