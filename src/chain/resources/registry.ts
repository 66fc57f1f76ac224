import { liquidityProvisions } from './liquidity-provisions.ts';
import { markets } from './markets.ts';
import { networkParameters } from './network-parameters.ts';
import { oracleSpecs } from './oracle-specs.ts';
import { paidLiquidityFees } from './paid-liquidity-fees.ts';
import type { Resource } from './resource.ts';
import { signerBundles } from './signer-bundles.ts';
import { validators } from './validators.ts';

/** Every resource, in the order of the tabs. */
export const RESOURCES: readonly Resource[] = [
  networkParameters,
  liquidityProvisions,
  paidLiquidityFees,
  signerBundles,
  oracleSpecs,
  markets,
  validators,
];

export const resourceById = (id: string): Resource | undefined => RESOURCES.find(resource => resource.id === id);
