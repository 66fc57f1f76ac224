import { anyJson } from '../../../base/text/any-json.ts';
import { readAddress } from '../../../base/text/ids.ts';
import { type PayloadForm, readWord } from './payload.ts';

/** A multisig control contract named by a network parameter. */
export interface ControlContract {
  readonly parameter: Parameter;
  /** Digits; '' if the parameter does not give it. */
  readonly chainId: string;
  /** In lower case. */
  readonly address: string;
}

export const CONTRACT_PARAMETERS = ['blockchains.ethereumConfig', 'blockchains.evmBridgeConfigs'] as const;

type Parameter = (typeof CONTRACT_PARAMETERS)[number];

/** The chains and contracts in a parameter value: JSON of one chain, or with a list of chains. */
export function readContracts(parameter: Parameter, value: string): readonly ControlContract[] {
  return readChains(value).flatMap(chain => {
    const address = readAddress(memberText(ownMember(chain, 'multisig_control_contract'), 'address'));
    return address === undefined ? [] : [{ parameter, chainId: chainIdOf(chain), address }];
  });
}

/** The ids of the chains in a parameter value, with or without a contract. */
export const readChainIds = (value: string): readonly string[] =>
  readChains(value)
    .map(chainIdOf)
    .filter(chainId => chainId !== '');

/** The contracts a bundle of this form can be for: a form without a chain is only for the primary one. */
export const contractsFor = (form: PayloadForm, contracts: readonly ControlContract[]): readonly ControlContract[] =>
  contracts.filter(({ parameter, chainId }) =>
    form.scheme === 'v1' ? parameter === 'blockchains.ethereumConfig' : chainId === form.chainId,
  );

function readChains(value: string): readonly unknown[] {
  const config = anyJson(value);
  const configs = ownMember(config, 'configs');
  return Array.isArray(configs) ? configs : [config];
}

const chainIdOf = (chain: unknown): string => {
  const number = readWord(memberText(chain, 'chain_id'));
  return number === undefined ? '' : String(number);
};

function memberText(value: unknown, name: string): string {
  const found = ownMember(value, name);
  // A larger number lost digits in JSON.parse.
  return typeof found === 'string' || Number.isSafeInteger(found) ? String(found) : '';
}

const ownMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
