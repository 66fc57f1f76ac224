import type { Copyable, ExplainedLine, Explainer, Part } from './explanation.ts';
import { detailParts } from './oracle/detail-parts.ts';
import { headline } from './oracle/headline.ts';
import { type KnownSpec, knownSpec } from './oracle/known-spec.ts';
import { specJson } from './oracle/spec-json.ts';
import { unknowns } from './oracle/unknowns.ts';
import { valueParts } from './oracle/value-lines.ts';

/** An oracle spec in words: what it watches, where and when, its conditions, the markets that use it, the last value. */
export const explainOracleSpec: Explainer = async (row, knowledge) => {
  const spec = await knownSpec(row, knowledge);
  return {
    parts: [{ title: '', lines: headline(spec) }, ...unknownPart(spec), ...detailParts(spec), ...valueParts(spec)],
    json: specJson(spec),
    copies: copiesOf(spec),
  };
};

function unknownPart(spec: KnownSpec): readonly Part[] {
  const lines = unknowns(spec).map((text): ExplainedLine => ({ label: '', text, tone: 'quiet' }));
  return lines.length === 0 ? [] : [{ title: 'Not known here', lines }];
}

function copiesOf({ source, called, spelt }: KnownSpec): readonly Copyable[] {
  if (source.variant !== 'eth-oracle') return [];
  const method = called === undefined || 'problem' in called ? undefined : called;
  return [
    { what: 'contract address', text: spelt(source.address) },
    { what: 'method signature', text: method?.signature ?? '' },
    { what: 'selector', text: method?.selector ?? '' },
  ].filter(({ text }) => text !== '');
}
