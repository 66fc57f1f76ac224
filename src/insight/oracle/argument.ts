/** A call argument from its JSON text: strings without quotes, 32 bytes in base64 as hexadecimal. */
export function argumentText(json: string, type: string): string {
  const text = stringIn(json);
  if (text === undefined) return json;
  return (type === 'bytes32' || type === 'bytes' ? wordInBase64(text) : undefined) ?? text;
}

/**
 * 32 bytes that a node sends as base64, as hexadecimal (node-lists.md section 5); undefined for other text. Other text
 * may look the same by chance, so check the type of the argument.
 */
export function wordInBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? `0x${bytes.toString('hex')}` : undefined;
}

function stringIn(json: string): string | undefined {
  if (!json.startsWith('"')) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
