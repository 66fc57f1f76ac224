import { formsFor, type PayloadForm, type Removal, signedPayload } from './payload.ts';
import type { Signature, SignatureFlaw, SignerRecovery } from './signatures.ts';

/** The finding on one signature. */
interface SignatureFinding {
  /** Who made it, in lower case; undefined if the form is unknown or no key can have made it. */
  readonly signer: string | undefined;
  readonly isKnown: boolean;
  readonly problem: Problem | undefined;
}

/** With a flipped bit, `signer` is who made the undamaged signature. */
type Problem = SignatureFlaw | 'no signer' | 'unknown signer' | 'flipped bit';

export interface Findings {
  /** The number of known signers under each form tried; stops at a form under which all are known. */
  readonly tried: readonly Trial[];
  /** The form with the most known signers; undefined if there are none, or several forms tie. */
  readonly form: PayloadForm | undefined;
  readonly tied: readonly PayloadForm[];
  /** In bundle order. */
  readonly signed: readonly SignatureFinding[];
  /** Known signers with a signature without a problem, each counted once. */
  readonly known: number;
}

interface Trial {
  readonly form: PayloadForm;
  readonly known: number;
}

interface SignerSearch {
  readonly removal: Removal;
  readonly signatures: readonly Signature[];
  readonly chainIds: readonly string[];
  /** Addresses in lower case. */
  readonly known: ReadonlySet<string>;
  readonly recovery: SignerRecovery;
  /** Yields to the event loop: a signature takes a millisecond or two per form. */
  readonly pause: () => Promise<void>;
}

/** Tries the forms one after the other, and reads the signatures with the one that fits. */
export async function findSigners(search: SignerSearch, isQuick = false): Promise<Findings> {
  const tried: (Trial & { readonly signers: Signers })[] = [];
  for (const form of formsFor(search.chainIds)) {
    const signers = await recoverSigners(form, search);
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
      : isQuick
        ? collectFindings(search, only.signers)
        : await withFlippedBits(search, only.form, collectFindings(search, only.signers));
  return {
    tried: tried.map(({ form, known }) => ({ form, known })),
    form: only?.form,
    tied: best.length > 1 ? best.map(({ form }) => form) : [],
    signed,
    known: signed.filter(({ isKnown, problem }) => isKnown && problem === undefined).length,
  };
}

type Signers = readonly (string | undefined)[];

async function recoverSigners(
  form: PayloadForm,
  { removal, signatures, recovery, pause }: SignerSearch,
): Promise<Signers> {
  const digest = payloadDigest(removal, form, recovery);
  const signers: (string | undefined)[] = [];
  for (const signature of signatures) {
    signers.push(mayBeRead(signature) ? recovery.signerOf(digest, signature) : undefined);
    await pause();
  }
  return signers;
}

const payloadDigest = (removal: Removal, form: PayloadForm, { keccak }: SignerRecovery): Uint8Array =>
  keccak(Buffer.from(signedPayload(removal, form), 'hex'));

const mayBeRead = ({ flaw }: Signature): boolean => flaw === undefined || flaw === 'high s' || flaw === 'duplicate';

function collectFindings({ signatures, known }: SignerSearch, signers: Signers): readonly SignatureFinding[] {
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

/** Without a form signers are unknown, since each hash leads to another one; a signature without a signer in any form has none. */
const withoutForm = (
  { signatures }: SignerSearch,
  tried: readonly { readonly signers: Signers }[],
): readonly SignatureFinding[] =>
  signatures.map(({ flaw }, index) => {
    const hasNoSigner = tried.every(({ signers }) => signers[index] === undefined);
    return { signer: undefined, isKnown: false, problem: flaw ?? (hasNoSigner ? 'no signer' : undefined) };
  });

// Each search takes a fifth of a second or more; more unknown signatures are probably not damaged but from other signers.
const MAX_DAMAGED = 2;

/** Checks signatures of unknown signers for a single flipped bit. */
async function withFlippedBits(
  search: SignerSearch,
  form: PayloadForm,
  signed: readonly SignatureFinding[],
): Promise<readonly SignatureFinding[]> {
  const { removal, signatures, recovery, pause } = search;
  const suspects = signed.filter(isSuspect).length;
  const signers = new Set([...search.known].filter(known => signed.every(({ signer }) => signer !== known)));
  if (suspects > MAX_DAMAGED || signers.size === 0) return signed;
  const digest = payloadDigest(removal, form, recovery);
  const checked: SignatureFinding[] = [];
  for (const [index, finding] of signed.entries()) {
    const signature = signatures[index];
    const signer =
      isSuspect(finding) && signature !== undefined
        ? await findOneBitSigner({ digest, signature, signers, recovery, pause })
        : undefined;
    checked.push(signer === undefined ? finding : { signer, isKnown: true, problem: 'flipped bit' });
  }
  return checked;
}

const isSuspect = ({ isKnown, problem }: SignatureFinding): boolean =>
  !isKnown && problem !== undefined && problem !== 'duplicate';

interface Damage {
  readonly digest: Uint8Array;
  readonly signature: Signature;
  /** Possible signers of the undamaged signature, in lower case. */
  readonly signers: ReadonlySet<string>;
  readonly recovery: SignerRecovery;
  readonly pause: () => Promise<void>;
}

/** Whose signature it is except for one bit, if anyone's; a coincidence has a probability of about 2^-140. */
async function findOneBitSigner({ digest, signature, ...damage }: Damage): Promise<string | undefined> {
  for (const near of oneBitVariants(signature)) {
    const signer = damage.recovery.signerOf(digest, near);
    if (signer !== undefined && damage.signers.has(signer)) return signer;
    await damage.pause();
  }
  return undefined;
}

/** Every variant with one of the 520 bits flipped; v first, which is quick to try. */
function* oneBitVariants({ r, s, v }: Signature): Generator<Pick<Signature, 'r' | 's' | 'v'>> {
  for (let bit = 0; bit < 8; bit++) yield { r, s, v: v ^ (1 << bit) };
  for (let bit = 0n; bit < 256n; bit++) yield { r, s: s ^ (1n << bit), v };
  for (let bit = 0n; bit < 256n; bit++) yield { r: r ^ (1n << bit), s, v };
}
