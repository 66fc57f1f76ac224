import { type Manifest, type SliceRecord, writeManifest } from './manifest.ts';

/** What the manifest says of all recorded slices, which are given by file, in the order in which they were recorded. */
export type ArrangeSlices = (
  records: ReadonlyMap<string, SliceRecord>,
) => Pick<Manifest, 'slices'> & Partial<Pick<Manifest, 'fromBlock' | 'toBlock' | 'finished'>>;

/** The manifest of a folder of slices while they are fetched. */
export class SliceBook {
  readonly #folder: string;
  readonly #arrange: ArrangeSlices;
  readonly #records = new Map<string, SliceRecord>();
  #manifest: Manifest;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: string, manifest: Manifest, arrange: ArrangeSlices) {
    this.#folder = folder;
    this.#arrange = arrange;
    this.#manifest = manifest;
    this.resume(manifest);
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Continues the manifest of an earlier run. */
  resume(manifest: Manifest): void {
    this.#manifest = manifest;
    for (const record of manifest.slices) this.#records.set(record.file, record);
  }

  /** The record of a file, which may be gone or damaged. */
  recorded(file: string): SliceRecord | undefined {
    return this.#records.get(file);
  }

  /** Takes a verified slice into the manifest, with the next write. */
  note(record: SliceRecord): void {
    this.#records.delete(record.file);
    this.#records.set(record.file, record);
  }

  /** Takes a slice that is not to be used out of the manifest, with the next write. */
  drop(file: string): void {
    this.#records.delete(file);
  }

  /** Writes one after the other, as two slices may end at once. */
  write(change: Partial<Pick<Manifest, 'finished' | 'notes'>> = {}): Promise<void> {
    this.#manifest = { ...this.#manifest, ...change, ...this.#arrange(this.#records) };
    const manifest = this.#manifest;
    this.#writing = this.#writing.catch(() => {}).then(() => writeManifest(this.#folder, manifest));
    return this.#writing;
  }
}
