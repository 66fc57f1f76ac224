import { readAddress } from '../address.ts';
import { readWord } from './abi-word.ts';
import type { Form } from './form.ts';

/** A multisig control contract that a network parameter names. */
export interface ControlContract {
  readonly parameter: Parameter;
  /** Digits; '' when the parameter does not say. */
  readonly chainId: string;
  /** In lower case. */
  readonly address: string;
}

export const PARAMETERS = ['blockchains.ethereumConfig', 'blockchains.evmBridgeConfigs'] as const;

type Parameter = (typeof PARAMETERS)[number];

/** The chains and contracts that the value of a parameter names: JSON, of one chain or with a list of chains. */
export function contractsIn(parameter: Parameter, value: string): readonly ControlContract[] {
  return chainsIn(value).flatMap(chain => {
    const address = readAddress(textAt(memberOf(chain, 'multisig_control_contract'), 'address'));
    return address === undefined ? [] : [{ parameter, chainId: chainIdOf(chain), address }];
  });
}

/** The ids of the chains that the value of a parameter names, whether it names a contract there or not. */
export const chainIdsIn = (value: string): readonly string[] =>
  chainsIn(value)
    .map(chainIdOf)
    .filter(chainId => chainId !== '');

/** Those that a bundle of this form can be for: without a chain in what is signed it is for the primary one alone. */
export const contractsFor = (form: Form, contracts: readonly ControlContract[]): readonly ControlContract[] =>
  contracts.filter(({ parameter, chainId }) =>
    form.scheme === 'v1' ? parameter === 'blockchains.ethereumConfig' : chainId === form.chainId,
  );

function chainsIn(value: string): readonly unknown[] {
  const config = parsed(value);
  const configs = memberOf(config, 'configs');
  return Array.isArray(configs) ? configs : [config];
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const chainIdOf = (chain: unknown): string => {
  const number = readWord(textAt(chain, 'chain_id'));
  return number === undefined ? '' : String(number);
};

function textAt(value: unknown, name: string): string {
  const found = memberOf(value, name);
  // A larger number has lost digits when it was read.
  return typeof found === 'string' || Number.isSafeInteger(found) ? String(found) : '';
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
