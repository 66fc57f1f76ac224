import type { Tone } from '../../insight/kind.ts';
import { CHAIN_TIME, conditionText, demandText } from '../../insight/oracle/condition.ts';
import { scheduleText, warningAbout } from '../../insight/oracle/schedule.ts';
import { watchesSentence } from '../../insight/oracle/sentence.ts';
import { chainText } from '../../insight/oracle/source-chain.ts';
import { ignoredParts } from '../../insight/oracle/timing.ts';
import { timeAndDistance } from '../../insight/oracle/unix-seconds.ts';
import type { ExplainedLine } from '../explanation.ts';
import { secondsOfNs } from './arrived.ts';
import { dueLines, nextLine } from './due-lines.ts';
import { fewOf } from './few.ts';
import { demandsOf, type KnownSpec } from './known-spec.ts';
import { marketLines } from './market-lines.ts';
import { lastValueLine } from './value-lines.ts';

/** What fits on the first screen: what it watches and where, when it fires, its conditions, its markets, the last value. */
export const headline = (spec: KnownSpec): readonly ExplainedLine[] => [
  { label: '', text: watchesSentence(spec.source) },
  statusLine(spec),
  ...whereLines(spec),
  ...(spec.source.variant === 'none' ? [] : [...firesLines(spec), ...dueLines(spec), nextLine(spec)]),
  ...mustHoldLines(spec),
  ...marketLines(spec),
  ...lastValueLine(spec),
];

function statusLine({ status, createdAt, now }: KnownSpec): ExplainedLine {
  const word = status.replace(/^STATUS_/, '');
  const since = secondsOfNs(createdAt) ?? 0n;
  const created = since === 0n ? '' : `, activated ${timeAndDistance(since, now)}`;
  return { label: 'status', text: `${word === '' ? 'not said' : word}${created}`, tone: TONES.get(word) ?? 'quiet' };
}

const TONES: ReadonlyMap<string, Tone> = new Map([['ACTIVE', 'good']]);

function whereLines({ source, called, spelt, nameOfSigner }: KnownSpec): readonly ExplainedLine[] {
  switch (source.variant) {
    case 'eth-oracle': {
      const method =
        called === undefined || 'problem' in called ? `${source.method}: ${called?.problem}` : called.declaration;
      return [
        contractLine(spelt(source.address), nameOfSigner({ kind: 'address', id: source.address })),
        { label: 'on', text: chainText(source.sourceChainId) },
        { label: 'method', text: method },
      ];
    }
    case 'oracle':
      return fewOf(source.signers, 'signers').map(signer =>
        typeof signer === 'string'
          ? { label: 'signer', text: signer, tone: 'quiet' }
          : {
              label: signer.kind === 'address' ? 'address' : 'signer',
              text: [nameOfSigner(signer) ?? '', spelt(signer.id)].filter(text => text !== '').join('  ') || 'not said',
              copied: spelt(signer.id),
            },
      );
    case 'time':
    case 'time-trigger':
    case 'none':
      return [];
  }
}

const contractLine = (address: string, name: string | undefined): ExplainedLine => ({
  label: 'contract',
  text: name === undefined ? address || 'not said' : `${name}  ${address}`,
  ...(address !== '' && { copied: address }),
});

function firesLines({ source, schedules }: KnownSpec): readonly ExplainedLine[] {
  if (source.variant === 'oracle')
    return [{ label: 'fires', text: 'whenever a signer sends data; it has no schedule' }];
  const warnings = [...new Set(schedules.map(warningAbout))].filter(text => text !== '').map(quiet);
  if (source.variant === 'time')
    return [{ label: 'fires', text: 'at the first block that meets the condition' }, ...warnings];
  const { triggers } = ignoredParts(source);
  return [
    ...fewOf(schedules, 'triggers').map(schedule => ({
      label: 'fires',
      text: typeof schedule === 'string' ? schedule : scheduleText(schedule),
    })),
    ...warnings.slice(0, 1),
    ...(triggers === 0 ? [] : [quiet(`only the first trigger counts: the chain ignores ${triggers} more`)]),
  ];
}

const quiet = (text: string): ExplainedLine => ({ label: '', text, tone: 'quiet' });

function mustHoldLines({ source }: KnownSpec): readonly ExplainedLine[] {
  const filters = demandsOf(source);
  if (filters.length === 0)
    return source.variant === 'none' ? [] : [{ label: 'must hold', text: 'the spec has no conditions' }];
  const { conditions } = ignoredParts(source);
  const [ignored] = conditions;
  const more = conditions.length > 1 ? ` and ${conditions.length - 1} more` : '';
  return [
    ...fewOf(filters, 'values').map(filter => ({
      label: 'must hold',
      text: typeof filter === 'string' ? filter : demandText(filter),
    })),
    ...(ignored === undefined
      ? []
      : [quiet(`only the first condition counts: the chain ignores ${conditionText(ignored, CHAIN_TIME)}${more}`)]),
  ];
}
