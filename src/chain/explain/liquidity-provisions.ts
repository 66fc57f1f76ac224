import { timeAndAge, utcTime } from '../../base/text/time.ts';
import type { JsonObject } from '../api/json.ts';
import { nameOf, nameOrEnds, subjectName } from '../directory/directory.ts';
import { percent } from '../insight/decimal.ts';
import type { Tone } from '../insight/kind.ts';
import { sharePercent } from '../insight/paid-fees.ts';
import {
  type Change,
  commitmentRank,
  committedCount,
  committedVersion,
  marketTotal,
  shareOfTotal,
  stageOf,
  undeployedCount,
} from '../insight/provision.ts';
import type { SentVersion } from '../resources/liquidity-provisions.ts';
import { amountInWords, amountJson, shareJson } from './amounts.ts';
import type { ExplainedLine, Explainer, ExplanationPart } from './explanation.ts';
import {
  type KnownProvision,
  loadProvision,
  nextEpochJson,
  nextEpochText,
  type VersionDiff,
} from './provision/known-provision.ts';
import { providerJson, providerParts } from './provision/provider.ts';

/** The state of a provision, its pending change and when that takes effect, its share of the market, and its versions. */
export const explainProvision: Explainer = async (row, knowledge) => {
  const known = await loadProvision(row, knowledge);
  return { parts: provisionParts(known), json: asJson(known), copies: [] };
};

function asJson(known: KnownProvision): JsonObject {
  const { row, outlook, versions, diff, next, directory } = known;
  const { id, partyId, marketId } = row.current;
  const isAhead = outlook.kind === 'enters' || outlook.kind === 'unknown';
  const waiting = row.pending ?? (isAhead ? row.current : null);
  return {
    id,
    party: { id: partyId, name: nameOf(directory, 'party', partyId) ?? null },
    market: { id: marketId, name: nameOf(directory, 'market', marketId) ?? null },
    standing: outlook.kind,
    current: isAhead ? null : termsJson(row.current, known),
    pending: waiting === null ? null : { ...termsJson(waiting, known), takesEffect: nextEpochJson(next) },
    share: shareOf(known),
    bond: known.bond === undefined ? null : amountJson(known.bond, known.unit),
    stale: known.bond === undefined ? null : known.isStale,
    fees: providerJson(known.provider),
    supersededBy: outlook.kind === 'superseded' ? outlook.by : null,
    changes: diff === undefined ? null : diffJson(diff, known),
    versions: versions?.map(version => termsJson(version, known)) ?? null,
  };
}

function termsJson(
  { version, status, commitmentAmount, fee, reference, updatedAt }: SentVersion,
  { unit }: KnownProvision,
): JsonObject {
  const time = utcTime(updatedAt);
  return {
    version,
    status: stateOf(status),
    commitment: amountJson(commitmentAmount, unit),
    fee,
    reference,
    updatedAt: time === updatedAt ? null : time.replace(' UTC', 'Z').replace(' ', 'T'),
  };
}

const stateOf = (status: string): string => status.replace(/^STATUS_/, '');

function diffJson({ version, against, changes }: VersionDiff, { unit }: KnownProvision): JsonObject {
  const members = changes.map(({ what, from, to }): JsonObject => {
    if (what === 'commitmentAmount')
      return { what: 'commitment', from: amountJson(from, unit), to: amountJson(to, unit) };
    return what === 'status' ? { what, from: stateOf(from), to: stateOf(to) } : { what, from, to };
  });
  return { version, against, members };
}

function shareOf({ row, market }: KnownProvision): JsonObject | null {
  const total = market === undefined ? undefined : marketTotal(market);
  if (market === undefined || total === undefined) return null;
  const percent =
    shareOfTotal(row, total) === undefined ? undefined : sharePercent(row.current.commitmentAmount, total);
  const share = shareJson(row.current.commitmentAmount, total, percent ?? '');
  return share === null ? null : { ...share, rank: commitmentRank(row, market), providers: committedCount(market) };
}

/** The explanation in words: state, pending change, what the last version changed, and all versions. */
function provisionParts(known: KnownProvision): readonly ExplanationPart[] {
  const { versions, diff } = known;
  return [
    { title: '', lines: [headline(known), ...mainLines(known)] },
    ...providerParts(known.provider, known.unit),
    ...(diff === undefined ? [] : [diffPart(diff, known)]),
    ...(versions === undefined || versions.length < 2
      ? []
      : [
          {
            title: 'Every version',
            isFolded: true as const,
            lines: versions.map(version => versionLine(version, known)),
          },
        ]),
  ];
}

function headline(known: KnownProvision): ExplainedLine {
  const { row, outlook, unit, directory } = known;
  const { partyId, marketId, version } = row.current;
  const who = subjectName(directory, 'party', partyId) ?? nameOrUnnamed(directory, 'party', partyId);
  const where = subjectName(directory, 'market', marketId) ?? nameOrUnnamed(directory, 'market', marketId);
  const amount = amountInWords(committedVersion(row).commitmentAmount, unit);
  const provides = `${who} provides ${amount} on ${where}`;
  // Next to its list the row has the party, the market and the amount.
  const say = (text: string, tone: Tone, brief?: string): ExplainedLine => ({
    label: '',
    text,
    tone,
    ...(brief !== undefined && { short: brief }),
  });
  switch (outlook.kind) {
    case 'stays':
      return say(provides, 'good', 'no change is pending');
    case 'leaves':
      return stageOf(row.current) === 'waits'
        ? say(`${who} provides nothing on ${where}: a cancellation of this new provision waits`, 'bad')
        : say(`${provides}, and leaves at the next epoch`, 'bad', 'leaves at the next epoch');
    case 'changes':
      return say(
        `${provides}; from the next epoch ${amountInWords(row.pending?.commitmentAmount ?? '', unit)}`,
        'pending',
        `from the next epoch ${amountInWords(row.pending?.commitmentAmount ?? '', unit)}`,
      );
    case 'enters':
      return say(`${who} will provide ${amount} on ${where} from the next epoch`, 'pending', 'new at the next epoch');
    case 'unknown':
      return say(`${who} will provide ${amount} on ${where}; this node does not show the current version`, 'pending');
    case 'superseded':
      return say(`version ${version} was replaced by version ${outlook.by}`, 'quiet');
    case 'not-said':
      return say(`what ${who} provides on ${where} is not known: ${word(row.current.status)}`, 'quiet');
    case 'ended':
      return say(`${who} provides nothing on ${where} with this provision: ${word(row.current.status)}`, 'quiet');
  }
}

function mainLines(known: KnownProvision): readonly ExplainedLine[] {
  const { row, outlook, unit, next, directory } = known;
  const { current, pending } = row;
  const isWaiting = pending !== null || outlook.kind === 'enters' || outlook.kind === 'unknown';
  return [
    ...(isWaiting
      ? [
          {
            ...line('takes effect', `${nextEpochText(next)}; at once if its market is in its opening auction`),
            short: nextEpochText(next).replace(/, when.*/s, ''),
          },
        ]
      : []),
    link('party', 'party', current.partyId, directory),
    link('market', 'market', current.marketId, directory),
    ...(isUnlisted(current.marketId, directory)
      ? [line('', 'This node does not list the market, so the asset and decimals of amounts are not known.')]
      : []),
    line('status', outlookStatus(known), outlookTone(known)),
    amountLine('commitment', current.commitmentAmount, unit),
    ...(pending === null ? [] : [amountLine('next commitment', pending.commitmentAmount, unit)]),
    ...bondLines(known),
    { ...line('share of commitment', shareText(known)), ...shareInBrief(known) },
    line(
      'fee',
      pending === null || pending.fee === current.fee
        ? factor(current.fee)
        : `${factor(current.fee)}, then ${factor(pending.fee)}`,
    ),
    line('version', versionText(known.row)),
    line('since', timeText(current.updatedAt, known.nowMs)),
    ...(pending === null ? [] : [line('requested', timeText(pending.updatedAt, known.nowMs))]),
    ...(current.reference === '' ? [] : [line('reference', current.reference)]),
  ];
}

/** A fee-only amendment has the number of the pending change (protocol.md section 2.3). */
const versionText = ({ current, pending }: KnownProvision['row']): string =>
  pending === null || pending.version === current.version
    ? current.version
    : `${current.version}, then ${pending.version}`;

function bondLines({ bond, isStale, unit }: KnownProvision): readonly ExplainedLine[] {
  if (bond === undefined) return [];
  const held = amountLine('bond', bond, unit);
  if (!isStale) return [{ ...held, short: 'covers the commitment' }];
  const text = `${held.text}, less than the commitment. Slashing does not create a new version, so this record and its share are out of date.`;
  return [{ ...held, text, tone: 'bad' }];
}

const nameOrUnnamed = (directory: KnownProvision['directory'], entity: 'party' | 'market', id: string): string =>
  id === '' ? `an unnamed ${entity}` : nameOrEnds(directory, entity, id);

const line = (label: string, text: string, tone?: Tone): ExplainedLine => ({
  label,
  text,
  ...(tone !== undefined && { tone }),
});

const amountLine = (label: string, raw: string, unit: KnownProvision['unit']): ExplainedLine => ({
  label,
  text: amountInWords(raw, unit),
  copied: raw,
});

const link = (
  label: string,
  entity: 'party' | 'market',
  id: string,
  directory: KnownProvision['directory'],
): ExplainedLine =>
  id === ''
    ? line(label, NOT_GIVEN)
    : { label, text: named(nameOrEnds(directory, entity, id), id), copied: id, leadsTo: { entity, id } };

/** A list of markets leaves out those that were rejected, also where their provisions are kept. */
const isUnlisted = (marketId: string, { markets }: KnownProvision['directory']): boolean =>
  marketId !== '' && markets.size > 0 && !markets.has(marketId);

/** A name and its id, or only the id if it has no name. */
const named = (name: string, id: string): string => (name.includes('..') ? id : `${name}  ${id}`);

const NOT_GIVEN = 'not reported';

function outlookTone({ row, outlook }: KnownProvision): Tone {
  if (row.pending !== null || outlook.kind === 'enters' || outlook.kind === 'unknown') return 'pending';
  return outlook.kind === 'stays' ? 'good' : 'quiet';
}

function outlookStatus({ row, outlook }: KnownProvision): string {
  const now = word(row.current.status);
  switch (outlook.kind) {
    case 'leaves':
      return `${now}, then none: a commitment of 0 is a cancellation`;
    case 'changes':
      return `${now}, then ${outlook.percent === undefined ? 'amended' : `${outlook.percent} of its commitment`}`;
    case 'enters':
      return `${now}: new, not in effect yet`;
    case 'stays':
    case 'unknown':
    case 'superseded':
    case 'ended':
    case 'not-said':
      return now;
  }
}

function shareText({ row, outlook, market, unit }: KnownProvision): string {
  if (outlook.kind === 'superseded' || outlook.kind === 'ended') return 'none: not in effect';
  if (outlook.kind === 'not-said') return 'not known: its status is unknown here';
  const total = market === undefined ? undefined : marketTotal(market);
  if (market === undefined || total === undefined)
    return 'not known: the total commitment on its market is unknown here';
  const part = shareOfTotal(row, total);
  if (part === undefined) return 'none yet: not in effect';
  const count = committedCount(market);
  const undeployed = undeployedCount(market);
  const left = undeployed === 0 ? '' : `, ${undeployed} UNDEPLOYED`;
  return `${part} % of ${amountInWords(total, unit)}; rank ${commitmentRank(row, market)} of ${count} on this market${left}`;
}

function shareInBrief({ row, market }: KnownProvision): Pick<ExplainedLine, 'short'> {
  const total = market === undefined ? undefined : marketTotal(market);
  if (market === undefined || total === undefined) return {};
  const part = shareOfTotal(row, total);
  return part === undefined
    ? {}
    : { short: `${part} %, rank ${commitmentRank(row, market)} of ${committedCount(market)}` };
}

const NAMES: { readonly [what in Change['what']]: string } = {
  status: 'status',
  commitmentAmount: 'commitment',
  fee: 'fee',
  reference: 'reference',
};

function changeText({ what, from, to }: Change, { unit }: KnownProvision): string {
  switch (what) {
    case 'commitmentAmount':
      return `${amountInWords(from, unit)} -> ${amountInWords(to, unit)}`;
    case 'fee':
      return `${factor(from)} -> ${factor(to)}`;
    case 'status':
      return `${word(from)} -> ${word(to)}`;
    case 'reference':
      return `"${from}" -> "${to}"`;
  }
}

function diffPart({ version, against, changes }: VersionDiff, known: KnownProvision): ExplanationPart {
  const lines = changes.map(change => line(NAMES[change.what], changeText(change, known)));
  const title =
    version === against ? 'Pending compared with current' : `Version ${version} compared with version ${against}`;
  return { title, lines: lines.length > 0 ? lines : [line('', 'no changes')] };
}

function versionLine(
  { version, status, commitmentAmount, fee, updatedAt }: SentVersion,
  known: KnownProvision,
): ExplainedLine {
  const text = `${word(status)}  ${amountInWords(commitmentAmount, known.unit)}  ${factor(fee)}  ${timeText(updatedAt, known.nowMs)}`;
  const { current, pending } = known.row;
  const isOfRow = [current, pending].some(one => one?.version === version && one.status === status);
  return line(`version ${version}`, text, isOfRow ? undefined : 'quiet');
}

const word = (status: string): string => status.replace(/^STATUS_/, '') || 'no status';

const factor = (fee: string): string => (fee === '' ? NOT_GIVEN : percent(fee));

const timeText = (timeNs: string, nowMs: number): string =>
  /^0?$/.test(timeNs) ? NOT_GIVEN : timeAndAge(timeNs, nowMs);
