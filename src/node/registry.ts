import { assetsTable } from './demo/assets.ts';
import type { Chain, DemoScale, NodeHead } from './demo/chain.ts';
import { accountsTable } from './demo/history/bookkeeping.ts';
import { liquidityProvidersTable } from './demo/liquidity-providers.ts';
import { liquidityProvisionsTable } from './demo/liquidity-provisions.ts';
import { marketsTable } from './demo/markets-table.ts';
import { networkParametersTable } from './demo/network-parameters.ts';
import { nodesTable } from './demo/nodes.ts';
import { oracleDataTable } from './demo/oracle-data.ts';
import { oracleSpecsTable } from './demo/oracle-specs.ts';
import { paidLiquidityFeesTable } from './demo/paid-liquidity-fees.ts';
import { signerBundlesTable } from './demo/signer-bundles.ts';
import type { UnaryOperation } from './gateway/operation.ts';
import { accountOperations } from './resources/accounts.ts';
import { assetOperations } from './resources/assets.ts';
import { liquidityProviderOperations } from './resources/liquidity-providers.ts';
import { liquidityProvisionOperations } from './resources/liquidity-provisions.ts';
import { marketOperations } from './resources/markets.ts';
import { networkParameterOperations } from './resources/network-parameters.ts';
import { nodeOperations } from './resources/nodes.ts';
import { oracleDataOperations } from './resources/oracle-data.ts';
import { oracleSpecOperations } from './resources/oracle-specs.ts';
import { paidLiquidityFeeOperations } from './resources/paid-liquidity-fees.ts';
import { signerBundleOperations } from './resources/signer-bundles.ts';
import type { DemoTable, Store } from './store.ts';

/** A list that the node serves: its table and the operations that read it. */
interface ServedList {
  readonly table: (chain: Chain, scale: DemoScale) => DemoTable;
  readonly operations: (store: Store, head: () => NodeHead) => readonly UnaryOperation[];
}

/** Every list of the node. */
export const SERVED_LISTS: readonly ServedList[] = [
  { table: networkParametersTable, operations: networkParameterOperations },
  { table: liquidityProvisionsTable, operations: liquidityProvisionOperations },
  { table: liquidityProvidersTable, operations: liquidityProviderOperations },
  { table: paidLiquidityFeesTable, operations: paidLiquidityFeeOperations },
  { table: signerBundlesTable, operations: signerBundleOperations },
  { table: oracleSpecsTable, operations: oracleSpecOperations },
  { table: oracleDataTable, operations: oracleDataOperations },
  { table: marketsTable, operations: marketOperations },
  { table: assetsTable, operations: assetOperations },
  { table: accountsTable, operations: accountOperations },
  { table: nodesTable, operations: nodeOperations },
];
