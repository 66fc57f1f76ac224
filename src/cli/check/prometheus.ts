import { shortenName } from '../../base/text/shorten-name.ts';
import type { CheckOutcome } from './checker.ts';
import { MEMORY_FILE_RULE } from './judge-check.ts';
import { CHECK_EXIT, checkVerdict } from './verdict.ts';

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samples: readonly { readonly labels?: Labels; readonly value: string }[];
}

interface Labels {
  readonly [name: string]: string;
}

/** A check in the text format of Prometheus: gauges without sample times, each with the label `node`. */
export function prometheusText(checked: CheckOutcome, node: string): string {
  return checkMetrics(checked)
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, samples }) => {
      const lines = samples.map(({ labels = {}, value }) => `${name}${labelsText({ node, ...labels })} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${lines.join('')}`;
    })
    .join('');
}

function checkMetrics(checked: CheckOutcome): readonly Metric[] {
  const { entries, rules, silence, chainId, requests, atMs } = checked;
  const { version, blockHeight, blockAgeMs } = checked.node;
  const statusOf = (rule: string): string =>
    String(CHECK_EXIT[checkVerdict(entries.filter(entry => entry.rule === rule))]);
  const one = (value: string | null) => (value === null ? [] : [{ value }]);
  return [
    { name: 'blockglass_up', help: 'Whether the node answered.', samples: one(silence === undefined ? '1' : '0') },
    {
      name: 'blockglass_node_info',
      help: 'Version and chain reported by the node; always 1.',
      samples:
        silence === undefined ? [{ labels: { version: version ?? '', chain_id: chainId ?? '' }, value: '1' }] : [],
    },
    {
      name: 'blockglass_check_status',
      help: 'What each rule found: 0 ok, 1 warning, 2 critical, 3 unknown.',
      samples: [...rules, MEMORY_FILE_RULE].map(rule => ({ labels: { rule }, value: statusOf(rule) })),
    },
    {
      name: 'blockglass_block_height',
      help: 'Newest block of the node.',
      samples: one(blockHeight === null ? null : String(blockHeight)),
    },
    {
      name: 'blockglass_block_age_seconds',
      help: 'Age of the newest block of the node by the clock of this machine.',
      samples: one(blockAgeMs === null ? null : seconds(blockAgeMs)),
    },
    { name: 'blockglass_check_requests', help: 'Requests that the check sent.', samples: one(String(requests)) },
    {
      name: 'blockglass_check_last_run_timestamp_seconds',
      help: 'When the check ran, in Unix seconds.',
      samples: one(seconds(atMs)),
    },
  ];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const labelsText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',')}}`;

/** Control characters go, and what would end the label is escaped. */
const escapeLabel = (value: string): string =>
  shortenName(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
