import type { JsonObject } from '../../api/json.ts';
import { formName } from '../../insight/signer-bundle/form.ts';
import type { Sufficiency } from '../../insight/signer-bundle/sufficiency.ts';
import type { Knowledge } from '../explanation.ts';
import { commandsOf } from './call-lines.ts';
import type { Study } from './study.ts';
import { NEVER_KNOWN, unknownHere } from './unknown-here.ts';

/** The members listed in docs/explain-bundles.md. */
export function bundleJson(study: Study, { threshold, signerCount }: Knowledge): JsonObject {
  const { oldSigner, submitter, nonce, bytes, findings, partyOf, removal, chains } = study;
  return {
    oldSigner: oldSigner.address,
    oldSignerName: oldSigner.name || null,
    submitter: submitter.address,
    submitterName: submitter.name || null,
    nonce,
    chainId: chains.own === '' ? null : chains.own,
    problem: 'problem' in removal ? removal.problem : BYTES_PROBLEM[bytes.kind],
    signatureCount: bytes.kind === 'whole' ? bytes.count : null,
    signatures: (findings?.signed ?? []).map(({ signer, isKnown, problem }) => {
      const party = signer === undefined ? undefined : partyOf(signer);
      return {
        signer: party?.address ?? null,
        known: isKnown,
        name: party?.name || null,
        problem: problem ?? null,
      };
    }),
    known: findings?.known ?? 0,
    form: findings?.form === undefined ? null : formName(findings.form),
    formsTied: (findings?.tied ?? []).map(formName),
    formsTried: (findings?.tried ?? []).map(({ form, known }) => ({ form: formName(form), known })),
    chainIds: chains.ids,
    threshold: threshold ?? null,
    signerCount: signerCount ?? null,
    ...enoughIn(study.sufficiency),
    call: callIn(study),
    notKnown: [...NEVER_KNOWN, ...unknownHere(study, threshold)],
  };
}

const BYTES_PROBLEM: { readonly [kind in Study['bytes']['kind']]: string | null } = {
  none: 'no signatures',
  'not-hex': 'not hex',
  'bad-length': 'bad length',
  whole: null,
};

function enoughIn(sufficiency: Sufficiency | undefined): JsonObject {
  if (sufficiency === undefined) return { enough: null, enoughForSigners: null };
  if (sufficiency.kind === 'enough-for') return { enough: null, enoughForSigners: sufficiency.most };
  if (sufficiency.kind === 'too-many') return { enough: null, enoughForSigners: null };
  return { enough: sufficiency.kind === 'enough', enoughForSigners: null };
}

function callIn(study: Study): JsonObject {
  const { contracts, partyOf, oldSigner, nonce, bytes } = study;
  const named = contracts.map(({ address, parameter, chainId }) => ({
    address: partyOf(address).address,
    parameter,
    chainId: chainId || null,
  }));
  const addresses = new Set(named.map(({ address }) => address));
  const possible = commandsOf(study).map(({ signature, calldata, send, dryRun }) => ({
    function: signature,
    calldata,
    command: send,
    dryRun,
  }));
  const [only, ...others] = possible;
  return {
    contract: addresses.size === 1 ? (named[0]?.address ?? null) : null,
    ...(only === undefined || others.length > 0
      ? { function: null, calldata: null, command: null, dryRun: null }
      : only),
    arguments: bytes.kind === 'whole' ? [oldSigner.address, nonce, `0x${bytes.hex}`] : null,
    contracts: named,
    possible: others.length > 0 ? possible : [],
  };
}
