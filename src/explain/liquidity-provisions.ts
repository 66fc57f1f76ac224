import type { JsonObject } from '../api/json.ts';
import { nameOf } from '../directory/directory.ts';
import { sharePercent } from '../insight/paid-fees.ts';
import { committedOf, marketTotal, rankOf, sharePart } from '../insight/provision.ts';
import { utcTime } from '../insight/time.ts';
import type { Version } from '../resources/provision-row.ts';
import { amountJson, shareJson } from './amount-json.ts';
import type { Explainer } from './explanation.ts';
import { type KnownProvision, knowProvision, type VersionDiff } from './provision/known-provision.ts';
import { epochJson } from './provision/next-epoch.ts';
import { providerJson } from './provision/provider-words.ts';
import { provisionParts } from './provision/provision-words.ts';

/** The state of a provision, its pending change and when that takes effect, its share of the market, and its versions. */
export const explainProvision: Explainer = async (row, knowledge) => {
  const known = await knowProvision(row, knowledge);
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
    pending: waiting === null ? null : { ...termsJson(waiting, known), takesEffect: epochJson(next) },
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
  { version, status, commitmentAmount, fee, reference, updatedAt }: Version,
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
  const percent = sharePart(row, total) === undefined ? undefined : sharePercent(row.current.commitmentAmount, total);
  const share = shareJson(row.current.commitmentAmount, total, percent ?? '');
  return share === null ? null : { ...share, rank: rankOf(row, market), providers: committedOf(market) };
}
