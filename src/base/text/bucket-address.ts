/** Whether a path is an address of a bucket, such as `s3://bucket/key`, which no command reads or writes. */
export const isBucketAddress = (path: string): boolean => /^(?:s3|gs):\/\//i.test(path);

/** Why nothing is written there; undefined for a path on disk. */
export const bucketProblem = (path: string): string | undefined =>
  isBucketAddress(path)
    ? 'blockglass writes to folders, not to buckets. Write to a folder, then copy it (docs/guides/parquet.md).'
    : undefined;

/** The start of a command that copies from this bucket. */
export const bucketCopyCommand = (path: string): string => (/^gs:/i.test(path) ? 'gcloud storage cp' : 'aws s3 cp');
