-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- For a catalog named hive of the Hive connector, in its schema default. Times have microseconds: set
-- hive.timestamp-precision=MICROSECONDS in the catalog, because its default, MILLISECONDS, would cut them.
-- Partition columns come last. sync_partition_metadata finds the folders of days: run it again after adding more.
-- It follows https://trino.io/docs/current/connector/hive.html; it was run with Trino 380.
CREATE TABLE IF NOT EXISTS hive.default."ledger" (
  "account_from_id" VARBINARY,
  "quantity" DECIMAL(38,0),
  "type" VARCHAR,
  "vega_time" TIMESTAMP(6),
  "labels" ARRAY(VARCHAR),
  "date" DATE
) WITH (format = 'PARQUET', external_location = 's3://history/it''s here/table=ledger', partitioned_by = ARRAY['date']);
CALL hive.system.sync_partition_metadata('default', 'ledger', 'FULL');
