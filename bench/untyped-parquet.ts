/** What a person would type instead of `blockglass convert`: a CSV from stdin, all of it text, into one Parquet file. */
import { DuckDBInstance } from '@duckdb/node-api';

const [, , out = ''] = process.argv;
const database = await DuckDBInstance.create(':memory:', { threads: '2' });
const connection = await database.connect();
await connection.run(
  `COPY (SELECT * FROM read_csv('/dev/stdin', all_varchar = true)) TO '${out}' (FORMAT parquet, COMPRESSION zstd)`,
);
