import { valueText } from '../../insight/oracle/condition.ts';
import { listed } from '../../insight/oracle/sentence.ts';
import { distance, readSeconds, timeAndDistance, utcOfSeconds } from '../../insight/oracle/unix-seconds.ts';
import { isDate } from '../../insight/time.ts';
import type { ExplainedLine, Part } from '../explanation.ts';
import { type Arrived, secondsOfNs } from './arrived.ts';
import { chainLabel } from './chain-label.ts';
import type { KnownSpec } from './known-spec.ts';

/** The last value, as one line. */
export function lastValueLine(spec: KnownSpec): readonly ExplainedLine[] {
  const { arrivals, source, now } = spec;
  if (arrivals === undefined) return [];
  const { value, errors, hasMore } = arrivals;
  const [error] = errors;
  const failed: readonly ExplainedLine[] =
    error === undefined ? [] : [{ label: 'last error', text: `${ageOf(error, now)}: ${error.error}`, tone: 'bad' }];
  if (value !== undefined) {
    const wanted = watched(spec, value).map(({ name, value: sent }) => `${name} ${meant(spec, name, sent)}`);
    const others = value.values.length - wanted.length;
    const words = [...wanted, ...(others > 0 ? [`${others} more`] : [])];
    return [{ label: 'last value', text: `${ageOf(value, now)}: ${listed(words) || 'no values'}` }, ...failed];
  }
  if (source.variant === 'none' && failed.length === 0) return [];
  const none = hasMore ? 'none among the newest data' : 'this node has none';
  return [{ label: 'last value', text: none, tone: 'quiet' }, ...failed];
}

/** The last value in detail, and the errors since. */
export function valueParts(spec: KnownSpec): readonly Part[] {
  const { arrivals, now } = spec;
  if (arrivals === undefined) return [];
  const { value, errors } = arrivals;
  const parts: Part[] = [];
  if (value !== undefined) {
    const values = value.values.slice(0, MOST_LINES).map(({ name, value: sent }) => ({
      label: chainLabel(name),
      text: meant(spec, name, sent),
      copied: sent,
    }));
    parts.push({ title: 'Last value', lines: [...values, ...arrivalLines(spec, value)] });
  }
  if (errors.length > 0)
    parts.push({
      title: 'Errors since',
      lines: errors.map(error => ({ label: ageOf(error, now), text: error.error, tone: 'bad' })),
    });
  return parts;
}

function arrivalLines({ spelt, nameOfSigner, now }: KnownSpec, value: Arrived): readonly ExplainedLine[] {
  const at = secondsOfNs(value.broadcastAt);
  const arrived = at === undefined || at === 0n ? UNSAID : timeAndDistance(at, now);
  const lines: ExplainedLine[] = [{ label: 'arrived', text: arrived }];
  const block = readSeconds(value.sourceTime);
  const height = value.sourceHeight === '' ? '' : `, block ${value.sourceHeight} of the other chain`;
  if (block !== undefined && block !== 0n)
    lines.push({ label: 'read at', text: `${timeAndDistance(block, now)}${height}` });
  for (const signer of value.signers.slice(0, MOST_LINES)) {
    const name = nameOfSigner(signer);
    const id = spelt(signer.id);
    lines.push({ label: 'signed by', text: name === undefined ? id : `${name}  ${id}`, copied: id });
  }
  return lines;
}

/** The values the spec has conditions on, else the first ones. */
function watched({ properties }: KnownSpec, { values }: Arrived): Arrived['values'] {
  const named = values.filter(({ name }) => properties.has(name));
  return (named.length > 0 ? named : values).slice(0, MOST_IN_A_LINE);
}

export function meant({ properties }: KnownSpec, name: string, value: string): string {
  const property = properties.get(name);
  return property === undefined ? value : valueText(value, property);
}

function ageOf({ broadcastAt }: Arrived, now: bigint): string {
  const at = secondsOfNs(broadcastAt);
  if (at === undefined || at === 0n) return UNSAID;
  return isDate(at) ? distance(at, now) : `at ${utcOfSeconds(at)}`;
}

const UNSAID = 'at an unknown time';

const MOST_IN_A_LINE = 3;

// The record has all of them.
const MOST_LINES = 100;
