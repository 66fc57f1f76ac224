import { hash } from 'node:crypto';

/**
 * The party under which the automated market maker of a party trades on a market, and is allocated fees: there is at
 * most one of them on a market (docs/protocol.md section 1.2).
 */
export const ammPartyOf = (party: string, market: string): string =>
  hash('sha3-256', `AMMv1${market.toLowerCase()}${party.toLowerCase()}0`);
