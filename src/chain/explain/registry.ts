import type { Explainer } from './explanation.ts';

/** By list id; loaded on first use, together with their libraries. */
export const EXPLAINERS: { readonly [resource: string]: () => Promise<Explainer> } = {
  bundles: async () => (await import('./signer-bundles.ts')).explainBundle,
  fees: async () => (await import('./paid-liquidity-fees.ts')).explainPaidFees,
  markets: async () => (await import('./markets.ts')).explainMarket,
  oracles: async () => (await import('./oracle-specs.ts')).explainOracleSpec,
  parameters: async () => (await import('./network-parameters.ts')).explainParameter,
  provisions: async () => (await import('./liquidity-provisions.ts')).explainProvision,
  validators: async () => (await import('./validators.ts')).explainValidator,
};
