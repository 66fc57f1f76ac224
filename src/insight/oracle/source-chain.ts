/** The chain a contract is called on: `Ethereum mainnet`, `chain 12345`. Nodes send 0 for old specs. */
export function chainText(sourceChainId: string): string {
  if (sourceChainId === '' || sourceChainId === '0') return 'a chain the node does not name';
  const name = Object.hasOwn(CHAINS, sourceChainId) ? CHAINS[sourceChainId] : undefined;
  return name === undefined ? `chain ${sourceChainId}` : name;
}

/** Names of well-known chains. */
const CHAINS: { readonly [id: string]: string } = {
  1: 'Ethereum mainnet',
  5: 'Goerli (chain 5, a test network)',
  10: 'OP Mainnet (chain 10)',
  56: 'BNB Smart Chain (chain 56)',
  100: 'Gnosis (chain 100)',
  137: 'Polygon (chain 137)',
  8453: 'Base (chain 8453)',
  17000: 'Holesky (chain 17000, a test network)',
  42161: 'Arbitrum One (chain 42161)',
  421614: 'Arbitrum Sepolia (chain 421614, a test network)',
  43114: 'Avalanche C-Chain (chain 43114)',
  11155111: 'Sepolia (chain 11155111, a test network)',
};
