import { goJson } from '../gateway/go-json.ts';
import type { DemoTable } from '../store.ts';
import type { Chain } from './chain.ts';
import type { Asset } from './markets.ts';

/** The table behind `assets`. */
export function assetsTable(chain: Chain): DemoTable {
  return {
    name: 'assets',
    columns: ['id TEXT NOT NULL', 'body TEXT NOT NULL'],
    primaryKey: 'id',
    indices: [],
    rows: () => chain.assets.map(asset => [asset.id, goJson(assetRecord(asset))]),
  };
}

function assetRecord({ id, name, symbol, decimals, quantum, contractAddress }: Asset) {
  return {
    id,
    details: {
      name,
      symbol,
      decimals: String(decimals),
      quantum,
      erc20: {
        contractAddress,
        lifetimeLimit: `100000${'0'.repeat(decimals)}`,
        withdrawThreshold: `1${'0'.repeat(decimals)}`,
      },
    },
    status: 'STATUS_ENABLED',
  };
}
