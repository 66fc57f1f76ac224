import { dryRunCommand, sendCommand } from '../../insight/signer-bundle/cast-command.ts';
import type { ControlContract } from '../../insight/signer-bundle/contract.ts';
import type { Copyable, ExplainedLine, Part } from '../explanation.ts';
import type { Study } from './study.ts';

/** What is sent to which contract, and how it can be tried before. */
export function callPart(study: Study): Part {
  const { calls, nonce, oldSigner, bytes } = study;
  const [call, ...others] = calls;
  const contracts = contractLines(study);
  if (call === undefined)
    return { title: 'Call', lines: [{ label: '', text: 'nothing to send: see above' }, ...contracts] };
  const title = others.length > 0 ? 'Call' : `Call ${call.functionName}(old_signer, nonce, signatures)`;
  const ambiguous = calls.map(({ functionName }) => functionName).join(' or ');
  return {
    title,
    lines: [
      ...(others.length > 0 ? [{ label: '', text: `${ambiguous}: which the contract has is not known here` }] : []),
      ...contracts,
      { label: 'old signer', text: oldSigner.address, copied: oldSigner.address },
      { label: 'nonce', text: nonce },
      { label: 'signatures', text: bytes.kind === 'whole' ? `${bytes.count * 65} bytes` : '' },
      ...calls.map(({ calldata, functionName }): ExplainedLine => {
        const label = others.length > 0 ? `calldata ${functionName}` : 'calldata';
        return { label, text: `${calldata.slice(0, 10)}\u2026  ${calldata.length / 2 - 1} bytes`, copied: calldata };
      }),
      ...commandsOf(study).flatMap(({ send, dryRun }): readonly ExplainedLine[] => [
        { label: 'try it first', text: dryRun },
        { label: 'send it', text: send },
      ]),
    ],
  };
}

/** What is worth taking along; `calldata` only where there is no doubt about it. */
export function callCopies(study: Study): readonly Copyable[] {
  const { calls } = study;
  const suffix = (functionName: string): string => (calls.length > 1 ? ` of ${functionName}` : '');
  return [
    ...calls.map(({ functionName, calldata }) => ({ what: `calldata${suffix(functionName)}`, text: calldata })),
    ...commandsOf(study).flatMap(({ functionName, send, dryRun }) => [
      { what: `cast command${suffix(functionName)}`, text: send },
      { what: `cast dry run${suffix(functionName)}`, text: dryRun },
    ]),
  ];
}

/** The commands that send each call and that try it. */
export function commandsOf({ calls, removal, bytes, oldSigner, submitter, contracts, partyOf }: Study) {
  if ('problem' in removal || bytes.kind !== 'whole') return [];
  const [only, ...others] = new Set(contracts.map(({ address }) => address));
  const contract = only === undefined || others.length > 0 ? undefined : partyOf(only).address;
  return calls.map(({ functionName, signature }) => {
    const sending = {
      contract,
      signature,
      oldSigner: oldSigner.address,
      nonce: removal.nonce,
      signatures: `0x${bytes.hex}`,
      submitter: submitter.address,
    };
    return { functionName, send: sendCommand(sending), dryRun: dryRunCommand(sending) };
  });
}

function contractLines({ contracts, partyOf, chains }: Study): readonly ExplainedLine[] {
  const lines = contracts.flatMap((contract): readonly ExplainedLine[] => {
    const { address } = partyOf(contract.address);
    return [
      { label: contracts.length > 1 ? `contract${onChain(contract)}` : 'contract', text: address, copied: address },
      { label: '', text: `named by ${contract.parameter}${contracts.length > 1 ? '' : onChain(contract)}` },
    ];
  });
  const unserved = chains.unserved.map(
    name => ({ label: '', text: `the node does not give ${name}`, tone: 'quiet' }) as const,
  );
  if (lines.length > 0) return [...lines, ...unserved];
  return [{ label: 'contract', text: 'not known here: no parameter names it', tone: 'pending' }, ...unserved];
}

const onChain = ({ chainId }: ControlContract): string => (chainId === '' ? '' : `, chain ${chainId}`);
