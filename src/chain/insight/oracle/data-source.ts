import type { Trigger } from './schedule.ts';

/** Where the data of a spec comes from, as the node sent it; '' if not sent. */
export type DataSource =
  | ContractCall
  | { readonly variant: 'oracle'; readonly signers: readonly DataSigner[]; readonly filters: readonly PropertyFilter[] }
  | { readonly variant: 'time'; readonly conditions: readonly Condition[] }
  | {
      readonly variant: 'time-trigger';
      readonly triggers: readonly Trigger[];
      readonly conditions: readonly Condition[];
    }
  | { readonly variant: 'none' };

export interface ContractCall {
  readonly variant: 'eth-oracle';
  readonly address: string;
  /** JSON text. */
  readonly abi: string;
  /** A key of the ABI: `get0` is the second `get`. */
  readonly method: string;
  /** JSON text each. */
  readonly args: readonly string[];
  readonly triggers: readonly Trigger[];
  readonly requiredConfirmations: string;
  readonly sourceChainId: string;
  readonly normalisers: readonly Normaliser[];
  readonly filters: readonly PropertyFilter[];
}

/** Gives a name to a value the call returns. */
export interface Normaliser {
  readonly name: string;
  /** JSONPath such as `$[0].price`, or a constant. */
  readonly expression: string;
}

/** Who may send data: a public key of the chain, an Ethereum address, or something unknown. */
export interface DataSigner {
  readonly kind: 'key' | 'address' | 'other';
  readonly id: string;
}

export interface PropertyFilter {
  readonly key: Property;
  readonly conditions: readonly Condition[];
}

export interface Property {
  readonly name: string;
  /** `TYPE_INTEGER`. */
  readonly type: string;
  readonly decimalPlaces: string;
}

export interface Condition {
  readonly operator: string;
  readonly value: string;
}

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
