-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- Reading a bucket needs the httpfs extension and a secret with the keys (CREATE SECRET ... (TYPE s3, ...)):
-- https://duckdb.org/docs/current/core_extensions/httpfs/s3api
-- date comes from the folder of the day: https://duckdb.org/docs/current/data/partitioning/hive_partitioning
CREATE OR REPLACE VIEW "ledger" AS SELECT
  "account_from_id",
  "quantity",
  "type",
  "vega_time",
  "labels",
  "date"
FROM read_parquet('s3://history/it''s here/table=ledger/date=*/*.parquet', hive_partitioning = true, hive_types = {'date': DATE});
