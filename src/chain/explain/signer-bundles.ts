import { type SafeText, sanitize } from '../../base/text/safe-text.ts';
import { truncateEnd } from '../../base/text/width.ts';
import type { JsonObject } from '../api/json.ts';
import { countOf } from '../insight/count-of.ts';
import { chainText } from '../insight/oracle/data-source.ts';
import { MAX_SIGNATURES_CHECKED, uncheckedCount } from '../insight/signer-bundle/checked-bundle.ts';
import { formName, type PayloadForm } from '../insight/signer-bundle/payload.ts';
import { highSPositions } from '../insight/signer-bundle/signatures.ts';
import type { Sufficiency } from '../insight/signer-bundle/sufficiency.ts';
import type { ExplainContext, ExplainedLine, Explainer, ExplanationPart } from './explanation.ts';
import { callCommands, callPart, copyableCalls } from './signer-bundle/call-lines.ts';
import { type BundleStudy, type NamedAddress, studyBundle } from './signer-bundle/study.ts';

/** Which signer a bundle removes, who signed it, who can submit it, and the contract call. */
export const explainBundle: Explainer = async (row, knowledge) => {
  const study = await studyBundle(row, knowledge);
  return {
    parts: bundleParts(study, knowledge),
    json: bundleJson(study, knowledge),
    copies: copyableCalls(study),
  };
};

/** The explanation of a bundle. */
function bundleParts(study: BundleStudy, knowledge: ExplainContext): readonly ExplanationPart[] {
  return [
    { title: '', lines: [...headline(study), ...sufficiencyLines(study, knowledge.threshold)] },
    uncheckedPart(study, knowledge),
    ...(study.findings === undefined ? [] : [{ title: signedTitle(study.findings), lines: signerLines(study) }]),
    callPart(study),
  ];
}

/** Before the signatures, so that it is on the first screen however many have signed. */
const uncheckedPart = (study: BundleStudy, knowledge: ExplainContext): ExplanationPart => ({
  title: 'What blockglass cannot check',
  lines: [NEVER_KNOWN.join('; '), ...unknownHere(study, knowledge)].map(text => ({ label: '', text, tone: 'quiet' })),
});

/** What no node can tell about a bundle. */
const NEVER_KNOWN = ['whether the nonce was used', "who the contract's signers are"] as const;

function headline(study: BundleStudy): readonly ExplainedLine[] {
  const { oldSigner, submitter, removal, chains } = study;
  const { text, tone } = signatureState(study);
  const lines: readonly ExplainedLine[] = [
    { label: '', text: `Remove signer ${inShort(oldSigner)}   ${text}`, tone, ...toParty(oldSigner) },
    {
      label: '',
      text: `Only ${inShort(submitter)} can submit it${chains.own === '' ? '' : `, on ${chainText(chains.own)}`}`,
      ...toParty(submitter),
    },
  ];
  const known = isOfAnotherChain(study) ? [...lines, OTHER_CHAIN] : lines;
  return 'problem' in removal
    ? [...known, { label: '', text: `${removal.problem}: it cannot have been signed`, tone: 'bad' }]
    : known;
}

/** Signed in the form for the primary chain, but the record has another chain. */
function isOfAnotherChain({ chains, findings }: BundleStudy): boolean {
  const primary = chains.contracts.find(({ parameter }) => parameter === 'blockchains.ethereumConfig')?.chainId ?? '';
  return findings?.form?.scheme === 'v1' && chains.own !== '' && primary !== '' && primary !== chains.own;
}

const OTHER_CHAIN: ExplainedLine = {
  label: '',
  text: 'The signatures are in the form for the primary chain, which is not the chain of this bundle.',
  tone: 'bad',
};

/** The state of the signatures. */
function signatureState({ bytes, findings, knownSigners }: BundleStudy): {
  readonly text: string;
  readonly tone: 'good' | 'pending' | 'bad';
} {
  switch (bytes.kind) {
    case 'none':
      return { text: 'no signatures yet', tone: 'pending' };
    case 'not-hex':
      return { text: 'signatures are not hex digits', tone: 'bad' };
    case 'bad-length':
      return { text: `${bytes.bytes} bytes are not whole signatures`, tone: 'bad' };
    case 'whole': {
      if (knownSigners === 0)
        return { text: `${countOf(bytes.count, 'signature')}, signers not known here`, tone: 'pending' };
      const known = findings?.known ?? 0;
      const signatures = bytes.count === 1 ? 'signature' : 'signatures';
      const checked = uncheckedCount(bytes) > 0 ? `the first ${MAX_SIGNATURES_CHECKED} of ` : '';
      return {
        text: `${known} of ${checked}${bytes.count} ${signatures} known`,
        tone: known === bytes.count ? 'good' : 'pending',
      };
    }
  }
}

function sufficiencyLines(study: BundleStudy, threshold: number | undefined): readonly ExplainedLine[] {
  const { sufficiency } = study;
  if (sufficiency === undefined || threshold === undefined) return highSLines(study);
  const required = `more than ${percent(threshold)}`;
  switch (sufficiency.kind) {
    case 'refused':
      return [
        {
          label: '',
          text: 'Refused: the contract rejects the whole call because a signature has a high s',
          tone: 'bad',
        },
      ];
    case 'enough':
      return [
        {
          label: '',
          text: `Enough signatures if the contract knows these signers: ${signerShareText(sufficiency)}; it requires ${required}`,
          tone: 'good',
        },
      ];
    case 'not-enough':
      return [
        {
          label: '',
          text: `Not enough signatures: ${signerShareText(sufficiency)}; the contract requires ${required}`,
          tone: 'bad',
        },
      ];
    case 'too-many':
      return [
        {
          label: '',
          text: `Cannot tell: ${sufficiency.counted} known signers, but --signer-count is ${sufficiency.signerCount}.`,
          tone: 'pending',
        },
      ];
    case 'enough-for':
      return [
        {
          label: '',
          text:
            sufficiency.most === 0
              ? `Not enough signatures: ${sufficiency.counted === 0 ? 'none by a known signer counts' : `the contract requires ${required}`}`
              : `Enough if the contract has ${sufficientSignersText(sufficiency)} (it requires ${required})`,
          tone: 'pending',
        },
      ];
  }
}

/** `5 of 9 signers (55.5 %)`: rounded down to a thousandth, which is what the contract compares with its threshold. */
const signerShareText = ({
  counted,
  signerCount,
}: {
  readonly counted: number;
  readonly signerCount: number;
}): string => `${counted} of ${signerCount} signers (${percent(Math.floor((counted * 1000) / signerCount))})`;

function sufficientSignersText({ counted, most }: { readonly counted: number; readonly most: number }): string {
  if (most === 1) return '1 signer, and it is this one';
  return `${most} signers or fewer and ${counted === 1 ? 'this one is' : `all ${counted} are`} among them`;
}

/** Thousandths in percent, exactly: `66.6 %`, `70 %`. */
const percent = (thousandths: number): string => `${thousandths / 10} %`;

/** The effect of a high s on the call (protocol.md section 3.4). */
function highSLines({ bytes, calls }: BundleStudy): readonly ExplainedLine[] {
  const places = highSPositions(bytes);
  if (places.length === 0) return [];
  const [name, ...others] = calls.map(({ functionName }) => functionName);
  const what =
    name === 'remove_signer' && others.length === 0
      ? `${name} refuses the whole call`
      : 'the contract may refuse the whole call';
  return [{ label: '', text: `${positionsText(places)} a high s: ${what}`, tone: 'bad' }];
}

/** `Signature 5 has`, `Signatures 1, 2 and 3 have`, `Signatures 1, 2, 3, 4 and 96 others have`. */
function positionsText(places: readonly number[]): string {
  const [only, ...others] = places;
  if (others.length === 0) return `Signature ${only} has`;
  const named = places.length > MAX_POSITIONS_LISTED ? places.slice(0, MAX_POSITIONS_LISTED - 1) : places.slice(0, -1);
  const more = places.length - named.length;
  return `Signatures ${named.join(', ')} and ${more === 1 ? places.at(-1) : countOf(more, 'other')} have`;
}

const MAX_POSITIONS_LISTED = 10;

const signedTitle = ({ form }: NonNullable<BundleStudy['findings']>): string =>
  form === undefined ? 'Signed by' : `Signed by (for ${form.functionName}, ${signedChain(form)})`;

const signedChain = (form: PayloadForm): string => (form.scheme === 'v1' ? 'no chain' : `chain ${form.chainId}`);

function signerLines({ findings, bytes, partyOf, knownSigners }: BundleStudy): readonly ExplainedLine[] {
  if (findings === undefined) return [];
  const lines = findings.signed.map(({ signer, problem }, index): ExplainedLine => {
    const place = `signature ${index + 1}`;
    if (signer === undefined) return { label: problem ?? 'not known', text: place, ...(problem !== undefined && BAD) };
    const party = partyOf(signer);
    if (problem === undefined) return { label: shortName(party) || 'known', text: party.address, ...toParty(party) };
    return { label: problem, text: `${named(party)}${WHAT_IT_MEANS[problem] ?? ''}`, ...BAD, ...toParty(party) };
  });
  const count = bytes.kind === 'whole' ? bytes.count : 0;
  const unread =
    count > MAX_SIGNATURES_CHECKED ? [`the first ${MAX_SIGNATURES_CHECKED} of ${count} signatures were checked`] : [];
  return [...lines, ...[...unread, ...formSentences(findings, knownSigners)].map(text => ({ label: '', text }))];
}

const BAD = { tone: 'bad' } as const;

const WHAT_IT_MEANS: { readonly [problem: string]: string } = {
  'flipped bit': ', one bit damaged: it does not count',
  duplicate: ': counts once',
};

function formSentences(
  { form, tied, tried }: NonNullable<BundleStudy['findings']>,
  knownSigners: number,
): readonly string[] {
  if (form !== undefined) return [];
  if (knownSigners === 0) return ['no signers are known here, so the signatures cannot be matched'];
  if (tied.length > 0) return [`equally many signers are known in ${tied.map(formName).join(' and ')}`];
  return [`no known signer in any form tried: ${tried.map(trial => formName(trial.form)).join(', ')}`];
}

/** `0x9aED..158A (Validator 3)`; copying gives the whole address. */
function inShort(party: NamedAddress): string {
  const { address } = party;
  const short = address.length > 14 ? `${address.slice(0, 6)}..${address.slice(-4)}` : address || 'nobody';
  return withName(short, party);
}

const named = (party: NamedAddress): string => withName(party.address, party);

const withName = (address: string, party: NamedAddress): string =>
  party.name === '' ? address : `${address} (${shortName(party)})`;

/** A name may have any length, and must leave room for the address. */
const shortName = ({ name }: NamedAddress): SafeText => truncateEnd(sanitize(name), NAME_CELLS);

const NAME_CELLS = 20;

const toParty = ({ address }: NamedAddress) =>
  address === '' ? {} : ({ copied: address, leadsTo: { entity: 'submitter', id: address.toLowerCase() } } as const);

/** The members listed in docs/reference/meaning-members.md. */
function bundleJson(study: BundleStudy, knowledge: ExplainContext): JsonObject {
  const { threshold, signerCount } = knowledge;
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
    ...sufficiencyJson(study.sufficiency),
    call: callJson(study),
    notKnown: [...NEVER_KNOWN, ...unknownHere(study, knowledge)],
  };
}

const BYTES_PROBLEM: { readonly [kind in BundleStudy['bytes']['kind']]: string | null } = {
  none: 'no signatures',
  'not-hex': 'not hex',
  'bad-length': 'bad length',
  whole: null,
};

function sufficiencyJson(sufficiency: Sufficiency | undefined): JsonObject {
  if (sufficiency === undefined) return { enough: null, enoughForSigners: null };
  if (sufficiency.kind === 'enough-for') return { enough: null, enoughForSigners: sufficiency.most };
  if (sufficiency.kind === 'too-many') return { enough: null, enoughForSigners: null };
  return { enough: sufficiency.kind === 'enough', enoughForSigners: null };
}

function callJson(study: BundleStudy): JsonObject {
  const { contracts, partyOf, oldSigner, nonce, bytes } = study;
  const named = contracts.map(({ address, parameter, chainId }) => ({
    address: partyOf(address).address,
    parameter,
    chainId: chainId || null,
  }));
  const addresses = new Set(named.map(({ address }) => address));
  const possible = callCommands(study).map(({ signature, calldata, send, dryRun }) => ({
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

/** Further unknown facts about this bundle, and the attempts not made, in sentences. */
function unknownHere(
  { bytes, chains, findings, sufficiency }: BundleStudy,
  { threshold, hasFlags }: Pick<ExplainContext, 'threshold' | 'hasFlags'>,
): readonly string[] {
  const hint = (words: string): string => (hasFlags === true ? `: ${words}` : '');
  const isOpen = findings !== undefined && findings.form === undefined;
  return [
    ...(threshold === undefined && findings !== undefined
      ? [`the contract's threshold${hint('set it with show --threshold N')}`]
      : []),
    ...(uncheckedCount(bytes) > 0
      ? [`who made the signatures after the first ${MAX_SIGNATURES_CHECKED}, and so whether the signatures are enough`]
      : []),
    ...(sufficiency?.kind === 'enough-for'
      ? [`how many signers the contract has${hint('set it with show --signer-count N')}`]
      : []),
    ...(isOpen ? [`who signed${hint('name more signers with show --signers FILE')}`] : []),
    ...(isOpen && chains.ids.length === 0 ? ['v2 forms were not tried: no chain id is known'] : []),
    ...(chains.isCut ? [`v2 forms were tried with only ${chains.ids.length} of the chains that parameters name`] : []),
  ];
}
