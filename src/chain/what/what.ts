import { countTypos } from '../../base/text/nearest-word.ts';
import { secondText } from '../../base/text/time.ts';
import type { Client } from '../api/client.ts';
import {
  isBackendUnavailable,
  isNoSuchRecord,
  isNotServed,
  NodeError,
  NotInSnapshotError,
  RefusedError,
  shortErrorSentence,
  UndecodableError,
} from '../api/errors.ts';
import { readPage } from '../api/page.ts';
import type { Reply } from '../api/reply.ts';
import { type Directory, isMine, nameOf, ownIds } from '../directory/directory.ts';
import { readNames } from '../directory/fetch-directory.ts';
import { MINE_ENTITIES, MINE_WORDS } from '../directory/mine.ts';
import { loadAddressSpelling, spellAddresses } from '../insight/address.ts';
import { locateBlock } from '../range/locate-block.ts';
import { RangeEndError } from '../range/parse-range.ts';
import {
  chainHeadLookUp,
  chainLookUp,
  epochLookUp,
  heightLookUp,
  listLookUp,
  segmentIdLookUp,
  segmentLookUp,
  textAtPath,
} from './list-look-ups.ts';
import type { LookUp, LookUpResult, Role } from './look-up.ts';
import { type Pasted, type PastedForm, readPasted } from './pasted-text.ts';
import * as roles from './role-look-ups.ts';

/** Everything a value is, according to a few answers of one node. */
export interface WhatAnswer {
  readonly value: string;
  /** What its form shows, in sentences. */
  readonly formNotes: readonly string[];
  readonly roles: readonly (Role & { readonly where: string })[];
  /** Where it was not found, in sentences: `not among the 46 oracle specs listed`. */
  readonly notFound: readonly string[];
  /** Parts that could not be checked, with the reason. */
  readonly unchecked: readonly string[];
  /** Paths that the node does not serve. */
  readonly notServed: readonly string[];
  readonly requests: number;
}

/** The most requests per value. */
export const MAX_WHAT_REQUESTS = 12;

interface WhatOptions {
  readonly client: Pick<Client, 'get'>;
  /** Names known already, including the user's aliases. */
  readonly directory: Directory;
  readonly signal: AbortSignal;
}

/** Identifies a value. Throws if every request failed, or when aborted. */
export async function whatIs(text: string, options: WhatOptions): Promise<WhatAnswer> {
  const pasted = resolveOwnName(readPasted(text), options.directory);
  if (pasted.form.kind === 'time') return answerForTime(pasted, Number(pasted.form.timeNs / 1_000_000n), options);
  const lookUps = lookUpsFor(pasted.value, pasted.form);
  let requests = 0;
  const counting: WhatOptions = {
    ...options,
    client: {
      get: (...given) => {
        requests++;
        return options.client.get(...given);
      },
    },
  };
  const lookedUp = (await Promise.all(lookUps.map(lookUp => askWithFallbacks(lookUp, counting)))).flat();
  const failures = lookedUp.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const [first] = failures;
  if (failures.length === lookedUp.length && first !== undefined && !(first instanceof RefusedError)) throw first;
  const directory = addNames(options.directory, lookedUp);
  await loadAddressSpelling();
  const found = lookedUp.flatMap(
    ({ lookUp, reply, unknown }): readonly (LookUpResult & { readonly lookUp: LookUp })[] => {
      if (reply !== undefined) return [{ lookUp, ...lookUp.read(reply.json, directory, reply.facts) }];
      return unknown ? [{ lookUp, roles: [], otherwise: lookUp.missing ?? '' }] : [];
    },
  );
  return {
    value: pasted.value,
    formNotes: pasted.formNotes,
    roles: [
      ...knownRoles(pasted, directory),
      ...usesLast(
        found.flatMap(({ lookUp, roles: those }) =>
          those.map(role => ({ ...role, text: spellAddresses(role.text), where: lookUp.where })),
        ),
      ),
    ],
    notFound: found
      .filter(({ roles: those, otherwise }) => those.length === 0 && otherwise !== '')
      .map(({ otherwise }) => otherwise),
    unchecked: [
      ...lookedUp.flatMap(({ lookUp, error, unknown }) =>
        error === undefined || unknown ? [] : [whyUnchecked(lookUp, error)],
      ),
      ...found.flatMap(({ roles: those, unread }) => (unread === undefined || those.length > 0 ? [] : [unread])),
    ],
    notServed: lookedUp.flatMap(({ lookUp, error }) => (isNotServed(error) ? [lookUp.request.path] : [])),
    requests,
  };
}

/** A value's own roles come before its roles as a part of something else. */
const usesLast = <R extends Role>(all: readonly R[]): readonly R[] => [
  ...all.filter(({ isUse }) => isUse !== true),
  ...all.filter(({ isUse }) => isUse === true),
];

function lookUpsFor(value: string, form: PastedForm): readonly LookUp[] {
  switch (form.kind) {
    case 'id':
      return [
        roles.marketOrDependentsLookUp(form.id),
        roles.assetLookUp(form.id),
        roles.validatorLookUp(form.id),
        roles.partyProvisionsLookUp(form.id),
        roles.partyFeesLookUp(form.id),
        roles.specLookUp(form.id, [Buffer.from(form.id, 'hex').toString('base64')]),
        roles.nodeBundlesLookUp(form.id),
        roles.parameterValueLookUp(form.id),
      ];
    case 'address':
      return [
        roles.validatorLookUp(form.address),
        roles.submitterBundlesLookUp(form.address),
        roles.removalLookUp(form.address),
        roles.specLookUp(form.address),
        roles.assetLookUp(form.address),
        roles.parameterValueLookUp(form.address),
      ];
    case 'number':
      return numberLookUps(form.digits);
    case 'cursor':
      return form.content === '' ? [roles.validatorLookUp(value), roles.specLookUp(value, [form.bytes])] : [];
    case 'name':
      return value === ''
        ? []
        : [
            parameterLookUp(value),
            roles.marketLookUp(value),
            roles.assetLookUp(value),
            roles.validatorLookUp(value),
            roles.specLookUp(value),
            segmentIdLookUp(value),
            chainLookUp(value),
            ...(PART_OF_ID.test(value) ? [roles.partyWithFeesLookUp(value), roles.removalLookUp(value)] : []),
          ];
    case 'time':
    case 'too-long':
      return [];
  }
}

/** `8a2f`, `8a2f..01be`, `0x8103..`: every shortened form of an id. */
const PART_OF_ID = /^(?:0x)?[0-9a-f]+(?:(?:\.{2,3}|\u2026)[0-9a-f]*)?$/i;

/** A height has no more digits than 64 bits. */
const MAX_HEIGHT_DIGITS = 18;

function numberLookUps(digits: string): readonly LookUp[] {
  const places =
    digits.length > MAX_HEIGHT_DIGITS || digits === '0'
      ? []
      : [epochLookUp(digits), heightLookUp(digits), segmentLookUp(digits), chainHeadLookUp(digits)];
  return [...places, roles.nonceLookUp(digits), parameterLookUp(digits)];
}

interface LookedUp {
  readonly lookUp: LookUp;
  readonly reply?: Pick<Reply, 'json' | 'facts'>;
  readonly error?: NodeError;
  /** The node serves the operation, but has no such thing. */
  readonly unknown: boolean;
}

/** Sends the request and, if its answer cannot be read, further requests that give a part of the same data. */
async function askWithFallbacks(lookUp: LookUp, options: WhatOptions): Promise<readonly LookedUp[]> {
  const first = await ask(lookUp, options);
  const { ifUnread = [], ifNothing, ifCoreless } = lookUp;
  if (first.unknown) return [first];
  if (ifCoreless !== undefined && isBackendUnavailable(first.error))
    return (await Promise.all(ifCoreless.map(other => askWithFallbacks(other, options)))).flat();
  const found =
    first.reply === undefined ? undefined : lookUp.read(first.reply.json, options.directory, first.reply.facts);
  if (found === undefined && !mayServeOthers(first.error)) return [first];
  if (found === undefined || found.unread !== undefined)
    return [first, ...(await Promise.all(ifUnread.map(other => askWithFallbacks(other, options)))).flat()];
  return ifNothing === undefined || found.roles.length > 0 ? [first] : askWithFallbacks(ifNothing, options);
}

/** Not a node that is down or has no time. */
const mayServeOthers = (error: NodeError | undefined): boolean =>
  isNotServed(error) || error instanceof UndecodableError || (error instanceof RefusedError && error.status < 500);

async function ask(lookUp: LookUp, { client, signal }: WhatOptions): Promise<LookedUp> {
  try {
    return { lookUp, reply: await client.get(lookUp.request, signal, { isOnce: true }), unknown: false };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NodeError)) throw error;
    const unknown = lookUp.missing !== undefined && isNoSuchRecord(error);
    return { lookUp, error, unknown };
  }
}

function whyUnchecked({ where }: LookUp, error: NodeError): string {
  if (isNotServed(error) && !(error instanceof NotInSnapshotError)) return `${where}: this node does not serve them`;
  return `${where}: ${isBackendUnavailable(error) ? shortErrorSentence(error) : error.message}`;
}

/** The known names, with those in the answers. */
function addNames(directory: Directory, lookedUp: readonly LookedUp[]): Directory {
  const given = lookedUp.map(({ lookUp, reply }) => {
    const part = directoryPart(lookUp.where);
    return part === undefined || reply === undefined ? {} : readNames(part, readPage(reply.json, part)?.records ?? []);
  });
  return Object.assign({}, directory, ...given);
}

const directoryPart = (where: string): 'markets' | 'assets' | 'nodes' | undefined =>
  where === 'markets' || where === 'assets' ? where : where === 'validators' ? 'nodes' : undefined;

/** The id for the user's own word: `@cold wallet`, `cold wallet`, `you c4ce`. */
function resolveOwnName(pasted: Pasted, directory: Directory): Pasted {
  if (pasted.form.kind !== 'name') return pasted;
  const wanted = pasted.value.toLowerCase();
  const words = MINE_ENTITIES.flatMap(entity =>
    [...directory.aliases.keys(), ...ownIds(directory, entity)].map(
      id => [id, nameOf(directory, entity, id)?.toLowerCase()] as const,
    ),
  );
  const ids = new Set(words.flatMap(([id, word]) => (word === wanted || word === `@${wanted}` ? [id] : [])));
  const [id] = ids;
  return id === undefined || ids.size > 1 ? pasted : readPasted(id);
}

/** The roles known without a request. */
function knownRoles({ form }: Pasted, directory: Directory): WhatAnswer['roles'] {
  const { aliases } = directory;
  if (form.kind === 'cursor' && form.content !== '')
    return [{ role: 'cursor', text: form.content, where: 'the decoded cursor' }];
  const key = form.kind === 'id' ? form.id : form.kind === 'address' ? form.address : '';
  const word = aliases.get(key);
  const kinds = MINE_ENTITIES.filter(entity => isMine(directory, entity, key)).map(entity => MINE_WORDS[entity]);
  return [
    ...(word === undefined ? [] : [{ role: 'named by you', text: `@${word}`, where: 'your settings' }]),
    ...(kinds.length === 0
      ? []
      : [{ role: 'yours', text: `marked as your ${kinds.join(' and ')}`, where: 'mine.json' }]),
  ];
}

async function answerForTime(pasted: Pasted, timeMs: number, options: WhatOptions): Promise<WhatAnswer> {
  const { role, problem, requests } = await locatedTime(timeMs, MAX_WHAT_REQUESTS, options);
  return {
    value: pasted.value,
    formNotes: pasted.formNotes,
    roles: role === undefined ? [] : [{ ...role, where: 'epochs' }],
    notFound: [],
    unchecked: problem === undefined ? [] : [problem],
    notServed: [],
    requests,
  };
}

interface LocatedTime {
  readonly role?: Role;
  readonly problem?: string;
  readonly requests: number;
}

/** The block at a time, found by searching the epochs, in at most `most` requests. */
async function locatedTime(
  timeMs: number,
  most: number,
  { client, signal }: { readonly client: Pick<Client, 'get'>; readonly signal: AbortSignal },
): Promise<LocatedTime> {
  let requests = 0;
  const counting: Pick<Client, 'get'> = {
    get: (request, given) => {
      if (requests === most) throw new RangeEndError(`its block was not found within ${most} requests`);
      requests++;
      return client.get(request, given, { isOnce: true });
    },
  };
  const written = secondText(timeMs);
  try {
    const { note } = await locateBlock(counting, written, 'from', signal);
    const lead = /epoch (\d+)$/.exec(note)?.[1];
    const role = {
      role: 'time of the chain',
      text: note,
      ...(lead && { lead: { entity: 'epoch', id: lead } as const }),
    };
    return { role, requests };
  } catch (error) {
    if (!(error instanceof RangeEndError)) throw error;
    return { problem: error.message, requests };
  }
}

const MAX_SHOWN_LENGTH = 80;

/** Parameters with this key, with keys that begin with, contain or resemble it, and with this value. */
const parameterLookUp = (value: string): LookUp =>
  listLookUp('parameters', records =>
    records.flatMap((record): readonly Role[] => {
      const [key, set] = [textAtPath(record, 'key'), textAtPath(record, 'value')];
      const lead = { entity: 'parameter', id: key } as const;
      const role = parameterRole(key.toLowerCase(), value.toLowerCase());
      if (role !== undefined)
        return [
          { role, text: `${key} = ${shortened(set)}`, lead, ...(role !== WHOLE_KEY && { isUse: true as const }) },
        ];
      return set.toLowerCase() === value.toLowerCase()
        ? [{ role: 'value of a network parameter', text: key, lead, isUse: true as const }]
        : [];
    }),
  );

const WHOLE_KEY = 'network parameter';

function parameterRole(key: string, wanted: string): string | undefined {
  if (wanted === '') return undefined;
  if (key === wanted) return WHOLE_KEY;
  if (wanted.length < 3) return undefined;
  if (key.startsWith(wanted)) return 'prefix of network parameters';
  if (key.includes(wanted)) return 'part of the names of network parameters';
  return isSimilar(key, wanted) ? 'nearly the name of a network parameter' : undefined;
}

const shortened = (text: string): string =>
  text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1).toWellFormed()}\u2026` : text;

/** Letters that may be wrong, missing, extra or swapped in a similar name. */
const MAX_TYPOS = 2;

const MAX_COMPARED_LENGTH = 200;

const isSimilar = (key: string, wanted: string): boolean =>
  wanted.length >= 6 &&
  key.length <= MAX_COMPARED_LENGTH &&
  Math.abs(key.length - wanted.length) <= MAX_TYPOS &&
  countTypos(key, wanted) <= MAX_TYPOS;

/** The sentence for a value that was not found: it matters whether anything could be checked. */
export const notFoundSentence = ({ notFound }: Pick<WhatAnswer, 'notFound'>): string =>
  notFound.length === 0 ? 'not known: nothing could be checked' : 'not found in anything that was checked';
