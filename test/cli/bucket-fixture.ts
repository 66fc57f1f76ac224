import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type RunningNode, startNode } from '../../src/node/index.ts';
import { BUCKET, type ObjectServer, startObjectServer } from '../objects/object-server.ts';

/** A node, a store, and for each test a folder and a prefix in the bucket of its own. */
export interface BucketFixture {
  readonly node: RunningNode;
  readonly server: ObjectServer;
  readonly folder: string;
  readonly prefix: string;
  /** `s3://bucket/prefix`. */
  readonly place: string;
  /** Keys for the store, and a cache folder that goes with the test. */
  readonly env: Readonly<Record<string, string>>;
}

/** Has them made and taken away around the tests of a file; a prefix is made of the number of its test. */
export function withBucket(prefixOf: (test: number) => string): BucketFixture {
  let running: { readonly node: RunningNode; readonly server: ObjectServer } | undefined;
  let [folder, prefix, number] = ['', '', 0];
  const there = () => {
    if (running === undefined) throw new Error('the store is there in tests alone');
    return running;
  };
  beforeAll(async () => {
    const [node, server] = await Promise.all([startNode(), startObjectServer()]);
    running = { node, server };
  });
  afterAll(() => Promise.all([there().server.close(), there().node.close()]));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blockglass-'));
    prefix = prefixOf(++number);
  });
  afterEach(async () => {
    there().server.meet(() => undefined);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get node() {
      return there().node;
    },
    get server() {
      return there().server;
    },
    get folder() {
      return folder;
    },
    get prefix() {
      return prefix;
    },
    get place() {
      return `s3://${BUCKET}/${prefix}`;
    },
    get env() {
      return { XDG_CACHE_HOME: join(folder, 'cache'), ...there().server.env };
    },
  };
}
