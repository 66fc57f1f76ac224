/** Of the demo chain. */
export const CHAIN_ID = 'demo-chain-1';
