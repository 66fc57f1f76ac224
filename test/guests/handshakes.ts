export async function tryHandshakes(..._: unknown[]) {}
