/** A sample of the text format of Prometheus. */
export interface Sample {
  readonly name: string;
  readonly labels: { readonly [name: string]: string };
  readonly value: number;
}

/**
 * Reads the text format of Prometheus, version 0.0.4, as strictly as it is written: each family with HELP, then TYPE, then its
 * samples together, no times, no sample twice. Throws for anything else.
 */
export function readExposition(text: string): readonly Sample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const samples: Sample[] = [];
  const families = new Set<string>();
  let family = '';
  let isTyped = false;
  for (const line of text.slice(0, -1).split('\n')) {
    const help = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (?:[^\\]|\\\\|\\n)+$/.exec(line)?.[1];
    if (help !== undefined) {
      if (families.has(help)) throw new Error(`${help} appears twice`);
      families.add(help);
      [family, isTyped] = [help, false];
      continue;
    }
    if (line.startsWith('#')) {
      if (line !== `# TYPE ${family} gauge` || isTyped) throw new Error(`not the TYPE of ${family}: ${line}`);
      isTyped = true;
      continue;
    }
    const sample = readSample(line);
    if (sample.name !== family || !isTyped) throw new Error(`not in its family: ${line}`);
    if (samples.some(one => one.name === sample.name && JSON.stringify(one.labels) === JSON.stringify(sample.labels)))
      throw new Error(`there twice: ${line}`);
    samples.push(sample);
  }
  return samples;
}

const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\\\|\\"|\\n)*)"(?:,|$)/;

function readSample(line: string): Sample {
  const [, name = '', labelled = '', number = ''] =
    /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?)$/.exec(line) ?? [];
  if (name === '') throw new Error(`not a sample: ${line}`);
  const labels: { [name: string]: string } = {};
  for (let rest = labelled; rest !== ''; ) {
    const [whole = '', label = '', value = ''] = LABEL.exec(rest) ?? [];
    if (whole === '' || Object.hasOwn(labels, label)) throw new Error(`not a list of labels: ${rest}`);
    labels[label] = value.replaceAll(/\\([\\"n])/g, (_, mark: string) => (mark === 'n' ? '\n' : mark));
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(number) };
}
