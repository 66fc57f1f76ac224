import { demandText, typeText } from '../../insight/oracle/condition.ts';
import type { ContractCall } from '../../insight/oracle/data-source.ts';
import { normaliserText } from '../../insight/oracle/normaliser.ts';
import { scheduleText } from '../../insight/oracle/schedule.ts';
import type { ExplainedLine, Part } from '../explanation.ts';
import { argumentsOf, type CalledMethod } from './called-method.ts';
import { chainLabel } from './chain-label.ts';
import { demandsOf, type KnownSpec } from './known-spec.ts';
import { marketLine } from './market-lines.ts';

/** What does not fit on the first screen: the call, every trigger, value, signer and market. */
export const detailParts = (spec: KnownSpec): readonly Part[] => [
  ...callParts(spec),
  ...folded('All conditions', demandsOf(spec.source), filter => ({
    label: chainLabel(typeText(filter.key)),
    text: demandText(filter),
  })),
  ...folded('All triggers', spec.schedules, schedule => ({ label: 'fires', text: scheduleText(schedule) })),
  ...folded('All signers', spec.source.variant === 'oracle' ? spec.source.signers : [], signer => ({
    label: signer.kind,
    text: [spec.nameOfSigner(signer) ?? '', spec.spelt(signer.id)].filter(text => text !== '').join('  '),
    copied: spec.spelt(signer.id),
  })),
  ...folded('All markets that use it', spec.markets ?? [], marketLine),
];

function callParts({ source, called, spelt }: KnownSpec): readonly Part[] {
  if (source.variant !== 'eth-oracle' || called === undefined) return [];
  const { normalisers, requiredConfirmations } = source;
  const call: ExplainedLine[] = [...selectorLines(called), ...argumentLines(source, called)];
  const blocks = requiredConfirmations === '1' ? 'block' : 'blocks';
  const confirmations = requiredConfirmations === '' ? 'not said' : `${requiredConfirmations} ${blocks} of that chain`;
  call.push({ label: 'confirmations', text: confirmations });
  if (hasWrongChecksum(source.address, spelt(source.address)))
    call.push({ label: 'sent as', text: `${source.address}: checksum does not match`, tone: 'pending' });
  const method = 'problem' in called ? undefined : called.method;
  const values = normalisers.slice(0, MOST_LINES).map(normaliser => ({
    label: chainLabel(normaliser.name),
    text: normaliserText(normaliser, method),
  }));
  return [
    { title: 'Call', lines: call },
    ...(values.length === 0 ? [] : [{ title: 'Values from the result', lines: values }]),
  ];
}

function selectorLines(called: CalledMethod): readonly ExplainedLine[] {
  if ('problem' in called) return [];
  const { signature, selector } = called;
  if (signature === undefined || selector === undefined)
    return [{ label: 'selector', text: 'none: it has a type that nodes do not accept', tone: 'pending' }];
  return [
    { label: 'signature', text: signature },
    { label: 'selector', text: selector },
  ];
}

function argumentLines(call: ContractCall, called: CalledMethod): readonly ExplainedLine[] {
  const wanted = 'problem' in called ? call.args.length : called.method.inputs.length;
  const lines: ExplainedLine[] = argumentsOf(call, called)
    .slice(0, MOST_LINES)
    .map(({ name, type, value }, index) => ({
      label: chainLabel([name, type].filter(text => text !== '').join(' ') || `argument ${index}`),
      text: value === '' ? '""' : value,
      copied: value,
    }));
  if (call.args.length !== wanted)
    lines.push({ label: 'arguments', text: `${call.args.length} are given, the method takes ${wanted}`, tone: 'bad' });
  return lines;
}

/** Whether an address was sent in mixed case with a wrong checksum; a single case has no checksum. */
const hasWrongChecksum = (sent: string, spelling: string): boolean =>
  sent !== spelling && sent.slice(2) !== sent.slice(2).toLowerCase() && sent.slice(2) !== sent.slice(2).toUpperCase();

/** A folded part, if there is more than the first screen shows. */
function folded<Item>(title: string, items: readonly Item[], line: (item: Item) => ExplainedLine): readonly Part[] {
  if (items.length <= SHOWN) return [];
  const lines = items.slice(0, MOST_LINES).map(line);
  const more = items.length - lines.length;
  const rest: readonly ExplainedLine[] =
    more === 0 ? [] : [{ label: '', text: `and ${more} more, in the fields`, tone: 'quiet' }];
  return [{ title: `${title} (${items.length})`, isFolded: true, lines: [...lines, ...rest] }];
}

const SHOWN = 4;

const MOST_LINES = 100;
