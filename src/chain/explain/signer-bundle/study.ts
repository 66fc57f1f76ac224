import { setImmediate as pause } from 'node:timers/promises';
import { readAddress } from '../../../base/text/ids.ts';
import { RateLimitedError } from '../../api/errors.ts';
import { type JsonObject, jsonText } from '../../api/json.ts';
import { nameOf } from '../../directory/directory.ts';
import { checksumAddress } from '../../insight/address.ts';
import { buildCall, type Call } from '../../insight/signer-bundle/call.ts';
import { type BundleText, type CheckedBundle, checkBundle } from '../../insight/signer-bundle/checked-bundle.ts';
import {
  CONTRACT_PARAMETERS,
  type ControlContract,
  contractsFor,
  readChainIds,
  readContracts,
} from '../../insight/signer-bundle/contract.ts';
import type { Findings } from '../../insight/signer-bundle/findings.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../insight/signer-bundle/payload.ts';
import { loadRecovery, type SignerRecovery } from '../../insight/signer-bundle/signatures.ts';
import type { Row } from '../../resources/resource.ts';
import { askParameter } from '../ask-parameter.ts';
import type { Ask, ExplainContext } from '../explanation.ts';

/** Everything found out about a bundle. */
export interface BundleStudy extends CheckedBundle {
  /** As sent. */
  readonly nonce: string;
  readonly oldSigner: NamedAddress;
  readonly submitter: NamedAddress;
  readonly chains: Chains;
  /** How many signers are known to match signatures against. */
  readonly knownSigners: number;
  /** Gives an address its checksum case and name. */
  readonly partyOf: (address: string) => NamedAddress;
  /** Contracts the form allows; all while the form is unknown. */
  readonly contracts: readonly ControlContract[];
  /** One if the form is known, both if not, none if there is nothing to send. */
  readonly calls: readonly (Call & { readonly functionName: FunctionName })[];
}

/** An address in checksum case, and its name or ''. */
export interface NamedAddress {
  readonly address: string;
  readonly name: string;
}

export async function studyBundle(row: Row, knowledge: ExplainContext): Promise<BundleStudy> {
  const recovery = await loadRecovery();
  const nonce = jsonText(row.nonce);
  const chains = await findChains(row, knowledge.ask);
  const known = knownSigners(knowledge);
  const { threshold, signerCount } = knowledge;
  const checked = await checkBundle(bundleText(row), {
    chainIds: chains.ids,
    known,
    recovery,
    pause,
    threshold,
    signerCount,
  });
  const { removal, bytes, findings } = checked;
  const partyOf = createAddressNamer(knowledge, recovery);
  return {
    ...checked,
    nonce,
    oldSigner: partyOf(jsonText(row.oldSigner)),
    submitter: partyOf(jsonText(row.submitter)),
    chains,
    knownSigners: known.size,
    partyOf,
    contracts: relevantContracts(chains, findings).slice(0, MAX_CHAINS),
    calls: possibleCalls({ removal, bytes, findings, recovery }),
  };
}

/** Contracts on another chain than the record's are left out, whatever the form. */
const relevantContracts = ({ contracts, own }: Chains, findings: Findings | undefined): readonly ControlContract[] =>
  (findings?.form === undefined ? contracts : contractsFor(findings.form, contracts)).filter(
    ({ chainId }) => own === '' || chainId === '' || chainId === own,
  );

/** The members of a bundle that decide. */
export const bundleText = (row: JsonObject): BundleText => ({
  oldSigner: jsonText(row.oldSigner),
  submitter: jsonText(row.submitter),
  nonce: jsonText(row.nonce),
  signatures: jsonText(row.signatures),
});

/** Addresses of the validators, and those named by the user. */
export const knownSigners = ({
  directory,
  signers,
}: Pick<ExplainContext, 'directory' | 'signers'>): ReadonlySet<string> =>
  new Set([
    ...[...directory.validators.values()].flatMap(({ ethereumAddress }) => readAddress(ethereumAddress) ?? []),
    ...(signers?.keys() ?? []),
  ]);

/** The user's name for an address comes before the chain's. */
const createAddressNamer =
  ({ directory, signers }: ExplainContext, { keccak }: SignerRecovery) =>
  (text: string): NamedAddress => {
    const address = readAddress(text);
    if (address === undefined) return { address: text, name: '' };
    const name = signers?.get(address) || nameOf(directory, 'submitter', address) || '';
    return { address: checksumAddress(address, keccak), name };
  };

interface Sendable extends Pick<BundleStudy, 'removal' | 'bytes' | 'findings'> {
  readonly recovery: SignerRecovery;
}

function possibleCalls({ removal, bytes, findings, recovery }: Sendable): BundleStudy['calls'] {
  if ('problem' in removal || bytes.kind !== 'whole') return [];
  const names = findings?.form === undefined ? FUNCTION_NAMES : [findings.form.functionName];
  return names.map(functionName => ({
    functionName,
    ...buildCall({ functionName, removal, signatures: bytes.hex }, recovery.keccak),
  }));
}

/** The chains a bundle may be for, and the contracts on them. */
interface Chains {
  /** The chain id of the record, as sent; '' before v0.76. */
  readonly own: string;
  /** Chain ids to try the forms with. */
  readonly ids: readonly string[];
  readonly from: 'record' | 'parameters' | 'nowhere';
  /** Parameters name more chains than are tried. */
  readonly isCut: boolean;
  readonly contracts: readonly ControlContract[];
  /** Parameters the node did not give. */
  readonly missingParameters: readonly string[];
  /** Parameters that could not be read, because the node had too many requests. */
  readonly unreadParameters: readonly string[];
}

/** The most chains tried and contracts shown; a network has a handful. */
const MAX_CHAINS = 8;

/** The chain of the record, else the chains in the parameters that name contracts. */
async function findChains(row: Row, ask: Ask): Promise<Chains> {
  const values = await Promise.all(
    CONTRACT_PARAMETERS.map(async parameter => {
      let isUnread = false;
      const value = await askParameter(parameter, ask, error => {
        isUnread ||= error instanceof RateLimitedError;
      });
      return { parameter, value, isUnread };
    }),
  );
  const absent = values.filter(({ value }) => value === undefined);
  const named = values.flatMap(({ value }) => (value === undefined ? [] : readChainIds(value)));
  const own = jsonText(row.chainId);
  const ids = [...new Set(/^\d+$/.test(own) ? [own] : named)];
  return {
    own,
    ids: ids.slice(0, MAX_CHAINS),
    from: /^\d+$/.test(own) ? 'record' : ids.length > 0 ? 'parameters' : 'nowhere',
    isCut: ids.length > MAX_CHAINS,
    contracts: values.flatMap(({ parameter, value }) => (value === undefined ? [] : readContracts(parameter, value))),
    missingParameters: absent.filter(({ isUnread }) => !isUnread).map(({ parameter }) => parameter),
    unreadParameters: absent.filter(({ isUnread }) => isUnread).map(({ parameter }) => parameter),
  };
}
