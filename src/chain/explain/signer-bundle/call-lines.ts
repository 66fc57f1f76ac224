import { isRefused } from '../../insight/signer-bundle/bundle-readiness.ts';
import { dryRunCommand, sendCommand } from '../../insight/signer-bundle/call.ts';
import type { ControlContract } from '../../insight/signer-bundle/contract.ts';
import { highSPositions } from '../../insight/signer-bundle/signatures.ts';
import type { Copyable, ExplainedLine, ExplanationPart } from '../explanation.ts';
import type { BundleStudy } from './study.ts';

/** The contract call, and how to try it first. */
export function callPart(study: BundleStudy): ExplanationPart {
  const { calls, nonce, oldSigner } = study;
  const [call, ...others] = calls;
  const contracts = contractLines(study);
  if (call === undefined)
    return { title: 'Call', lines: [{ label: '', text: 'nothing to send: see above' }, ...contracts] };
  const isOpen = others.length > 0;
  const commands = callCommands(study);
  const which = (functionName: string): string => (isOpen ? ` ${functionName}` : '');
  const names = calls.map(({ functionName }) => functionName).join(' or ');
  return {
    title: isOpen ? 'Call' : `Call ${call.functionName}(old_signer, nonce, signatures)`,
    lines: [
      ...(isOpen ? [{ label: '', text: `${names}: not known which one the contract has` }] : []),
      ...commands.flatMap(({ functionName, send, dryRun }) => [
        commandLine(`try it first${which(functionName)}`, dryRun),
        ...(send === null ? [] : [commandLine(`send it${which(functionName)}`, send)]),
      ]),
      ...contracts,
      { label: 'old signer', text: oldSigner.address },
      { label: 'nonce', text: nonce },
      ...commands.map(({ functionName, calldata }) => ({ label: `calldata${which(functionName)}`, text: calldata })),
    ],
  };
}

const commandLine = (label: string, text: string): ExplainedLine => ({ label, text, isCommand: true });

/** Texts that can be copied; plain `calldata` only if there is a single possible call. */
export function copyableCalls(study: BundleStudy): readonly Copyable[] {
  const commands = callCommands(study);
  const suffix = (functionName: string): string => (commands.length > 1 ? ` of ${functionName}` : '');
  return commands.flatMap(({ functionName, calldata, send, dryRun }) => [
    { what: `calldata${suffix(functionName)}`, text: calldata },
    ...(send === null ? [] : [{ what: `cast command${suffix(functionName)}`, text: send }]),
    { what: `cast dry run${suffix(functionName)}`, text: dryRun },
  ]);
}

/** Each call with the commands that try it and send it; none sends a call that the contract refuses. */
export function callCommands(study: BundleStudy) {
  const { calls, removal, bytes, oldSigner, submitter, contracts, partyOf } = study;
  if ('problem' in removal || bytes.kind !== 'whole') return [];
  const [only, ...others] = new Set(contracts.map(({ address }) => address));
  const contract = only === undefined || others.length > 0 ? undefined : partyOf(only).address;
  return calls.map(({ functionName, signature, calldata }) => {
    const sending = {
      contract,
      signature,
      oldSigner: oldSigner.address,
      nonce: removal.nonce,
      signatures: `0x${bytes.hex}`,
      submitter: submitter.address,
    };
    const refused = isRefused(study) || (functionName === 'remove_signer' && highSPositions(bytes).length > 0);
    return {
      functionName,
      signature,
      calldata,
      send: refused ? null : sendCommand(sending),
      dryRun: dryRunCommand(sending),
    };
  });
}

function contractLines({ contracts, partyOf, chains, findings }: BundleStudy): readonly ExplainedLine[] {
  const lines = contracts.flatMap((contract): readonly ExplainedLine[] => {
    const { address } = partyOf(contract.address);
    return [
      { label: 'contract', text: address, copied: address },
      { label: 'set in', text: `parameter ${contract.parameter}${onChain(contract)}` },
    ];
  });
  // A node of one chain has no parameter for others, and a bundle for the primary one does not need it.
  const needsAll = contracts.length === 0 || findings?.form?.scheme !== 'v1';
  const quiet = (text: string): ExplainedLine => ({ label: '', text, tone: 'quiet' });
  const lacking = needsAll
    ? [
        ...chains.missingParameters.map(name => quiet(`the node does not give ${name}`)),
        ...chains.unreadParameters.map(name => quiet(`${name} was not read: too many requests, try again later`)),
      ]
    : [];
  if (lines.length > 0) return [...lines, ...lacking];
  const why = chains.unreadParameters.length > 0 ? 'not read' : 'unknown: not set in the parameters of the node';
  return [{ label: 'contract', text: why, tone: 'pending' }, ...lacking];
}

const onChain = ({ chainId }: ControlContract): string => (chainId === '' ? '' : `, chain ${chainId}`);
