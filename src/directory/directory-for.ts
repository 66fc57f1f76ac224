import type { Client } from '../api/client.ts';
import { type Directory, NO_NAMES } from './directory.ts';

/** What is known of the names of a node's chain; nothing yet. */
export const directoryFor = async (_client: Client, _signal: AbortSignal): Promise<Directory> => NO_NAMES;
