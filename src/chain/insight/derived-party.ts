import { hash } from 'node:crypto';

/**
 * The derived party of a party's automated market maker on a market, which trades and is allocated fees: SHA3-256 of
 * version, market, party and index. There is at most one per market (protocol.md section 1.2).
 */
export const derivedParty = (party: string, market: string): string =>
  hash('sha3-256', `AMMv1${market.toLowerCase()}${party.toLowerCase()}0`);
