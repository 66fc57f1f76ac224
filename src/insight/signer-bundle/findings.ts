import { signerButForOneBit } from './flipped-bit.ts';
import { type Form, formsFor } from './form.ts';
import { payloadOf, type Removal } from './payload.ts';
import type { Recovery } from './recovery.ts';
import type { Flaw, Signature } from './signatures.ts';

/** What was found out about one signature. */
export interface SignedBy {
  /** Who made it, in lower case; undefined while the form is not known, and where no key can have made it. */
  readonly signer: string | undefined;
  readonly isKnown: boolean;
  readonly problem: Problem | undefined;
}

/** A flipped bit: `signer` is whose signature it was before. */
export type Problem = Flaw | 'no signer' | 'unknown signer' | 'flipped bit';

export interface Findings {
  /** With how many known signers each form would leave the bundle; when all are known under one, none is tried after it. */
  readonly tried: readonly Trial[];
  /** Under which most signers are known; undefined when none is under any, and when several forms have the most. */
  readonly form: Form | undefined;
  readonly tied: readonly Form[];
  /** In the order of the bundle. */
  readonly signed: readonly SignedBy[];
  /** Signers that are known, each counted once, by signatures without a problem. */
  readonly known: number;
}

export interface Trial {
  readonly form: Form;
  readonly known: number;
}

export interface Search {
  readonly removal: Removal;
  readonly signatures: readonly Signature[];
  readonly chainIds: readonly string[];
  /** Addresses in lower case. */
  readonly known: ReadonlySet<string>;
  readonly recovery: Recovery;
  /** Lets others go on for a moment: a signature takes a millisecond or two for each form. */
  readonly pause: () => Promise<void>;
}

/** Tries the forms one after the other, and reads the signatures by the one that fits. */
export async function findSigners(search: Search): Promise<Findings> {
  const tried: (Trial & { readonly signers: Signers })[] = [];
  for (const form of formsFor(search.chainIds)) {
    const signers = await signersUnder(form, search);
    const found = signers.filter(signer => signer !== undefined);
    const known = new Set(found.filter(signer => search.known.has(signer))).size;
    tried.push({ form, known, signers });
    if (known > 0 && found.every(signer => search.known.has(signer))) break;
  }
  const most = Math.max(0, ...tried.map(({ known }) => known));
  const best = most === 0 ? [] : tried.filter(({ known }) => known === most);
  const only = best.length === 1 ? best[0] : undefined;
  const signed =
    only === undefined
      ? withoutForm(search, tried)
      : await withFlippedBits(search, only.form, findingsOf(search, only.signers));
  return {
    tried: tried.map(({ form, known }) => ({ form, known })),
    form: only?.form,
    tied: best.length > 1 ? best.map(({ form }) => form) : [],
    signed,
    known: signed.filter(({ isKnown, problem }) => isKnown && problem === undefined).length,
  };
}

type Signers = readonly (string | undefined)[];

async function signersUnder(form: Form, { removal, signatures, recovery, pause }: Search): Promise<Signers> {
  const digest = digestOf(removal, form, recovery);
  const signers: (string | undefined)[] = [];
  for (const signature of signatures) {
    signers.push(mayBeRead(signature) ? recovery.signerOf(digest, signature) : undefined);
    await pause();
  }
  return signers;
}

const digestOf = (removal: Removal, form: Form, { keccak }: Recovery): Uint8Array =>
  keccak(Buffer.from(payloadOf(removal, form), 'hex'));

const mayBeRead = ({ flaw }: Signature): boolean => flaw === undefined || flaw === 'high s' || flaw === 'duplicate';

function findingsOf({ signatures, known }: Search, signers: Signers): readonly SignedBy[] {
  const counted = new Set<string>();
  return signatures.map(({ flaw }, index) => {
    const signer = signers[index];
    const isKnown = signer !== undefined && known.has(signer);
    if (flaw !== undefined) return { signer, isKnown, problem: flaw };
    if (signer === undefined) return { signer, isKnown, problem: 'no signer' };
    const isRepeated = counted.has(signer);
    counted.add(signer);
    return { signer, isKnown, problem: isRepeated ? 'duplicate' : isKnown ? undefined : 'unknown signer' };
  });
}

/** What can be said of the signatures alone: each hash leads to another signer, but where none leads to one, none will. */
const withoutForm = ({ signatures }: Search, tried: readonly { readonly signers: Signers }[]): readonly SignedBy[] =>
  signatures.map(({ flaw }, index) => {
    const isNobodys = tried.every(({ signers }) => signers[index] === undefined);
    return { signer: undefined, isKnown: false, problem: flaw ?? (isNobodys ? 'no signer' : undefined) };
  });

// A fifth of a second each or more; more than these are signatures of somebody else, and not damaged.
const MOST_DAMAGED = 2;

/** The signatures that nobody known made, looked at for a bit that is not as it was. */
async function withFlippedBits(search: Search, form: Form, signed: readonly SignedBy[]): Promise<readonly SignedBy[]> {
  const { removal, signatures, recovery, pause } = search;
  const suspects = signed.filter(isSuspect).length;
  const signers = new Set([...search.known].filter(known => signed.every(({ signer }) => signer !== known)));
  if (suspects > MOST_DAMAGED || signers.size === 0) return signed;
  const digest = digestOf(removal, form, recovery);
  const looked: SignedBy[] = [];
  for (const [index, finding] of signed.entries()) {
    const signature = signatures[index];
    const signer =
      isSuspect(finding) && signature !== undefined
        ? await signerButForOneBit({ digest, signature, signers, recovery, pause })
        : undefined;
    looked.push(signer === undefined ? finding : { signer, isKnown: true, problem: 'flipped bit' });
  }
  return looked;
}

const isSuspect = ({ isKnown, problem }: SignedBy): boolean =>
  !isKnown && problem !== undefined && problem !== 'duplicate';
