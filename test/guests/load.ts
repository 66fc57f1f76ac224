export async function tryLoad(..._: unknown[]) {}
