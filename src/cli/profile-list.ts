import { addressWithoutLogin } from '../api/request.ts';
import { doubtOf, faultIn } from '../settings/settings-faults.ts';
import { knownSettings, type SettingsFile } from '../settings/settings-file.ts';
import { safeLine } from '../text/safe-text.ts';
import { wholeTable } from '../text/text-table.ts';
import type { Context } from './context.ts';
import type { Given } from './options.ts';
import { formatOf, printAll } from './output.ts';

/** The nodes that have names; the login of an address is shown nowhere. */
export async function listProfiles(file: SettingsFile, given: Given, { stdout, stderr }: Context): Promise<void> {
  const format = formatOf(given, ['table', 'json', 'csv']);
  const rows = rowsOf(file);
  const forms = {
    records: rows,
    head: () => FIELDS,
    cells: (row: ProfileRow) => [FIELDS.map(field => String(row[field] ?? ''))],
    json: (row: ProfileRow) => JSON.stringify(row),
    table: () =>
      wholeTable(
        ['', 'NAME', 'ADDRESS', 'COLOUR'],
        rows.map(({ isDefault, name, address, colour }) => [isDefault ? '*' : '', name, address, colour ?? '']),
      ),
  };
  await printAll(format, forms, stdout);
  for (const note of notesOn(file, rows)) await stderr.safe(safeLine(note));
}

const FIELDS = ['name', 'address', 'hasLogin', 'colour', 'isDefault'] as const;

type ProfileRow = ReturnType<typeof rowsOf>[number];

function rowsOf({ settings }: SettingsFile) {
  return Object.entries(settings.profiles ?? {}).map(([name, profile]) => {
    const { url, colour = null } = typeof profile === 'string' ? { url: profile } : profile;
    const address = addressWithoutLogin(url);
    return {
      name: nameOfProfile(name),
      address,
      hasLogin: address.includes('***@'),
      colour,
      isDefault: name === settings.node,
    };
  });
}

/** Somebody may have written an address with a password where the name should be. */
export const nameOfProfile = (name: string): string => (/[@/:]/.test(name) ? '***' : name);

function notesOn(file: SettingsFile, rows: readonly ProfileRow[]): readonly string[] {
  const { faults, path } = file;
  const broken = faults.filter(({ path: [member] }) => member === 'profiles' || member === 'node');
  const none = rows.length === 0 && broken.length === 0 ? ['no node has a name yet: blockglass node add NAME URL'] : [];
  return [...none, ...usedNote(file, rows), ...broken.map(fault => faultIn(path, fault))];
}

/** Which node is asked when none is named, where no row is marked. */
function usedNote(file: SettingsFile, rows: readonly ProfileRow[]): readonly string[] {
  const { node } = file.settings;
  if (doubtOf(knownSettings(file), undefined) !== undefined)
    return ['which node is asked when none is named is not known: nothing is asked then'];
  if (node === undefined)
    return ['when none is named, the embedded node is asked; blockglass node use NAME changes that'];
  if (rows.some(({ isDefault }) => isDefault)) return [];
  return [`when none is named, ${addressWithoutLogin(node)} is asked, which has no name here`];
}
