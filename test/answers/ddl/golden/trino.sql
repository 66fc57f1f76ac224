-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- For a catalog of the Hive connector that is called hive, in its schema default. Times have microseconds, for which
-- the catalog needs hive.timestamp-precision=MICROSECONDS: with MILLISECONDS, which it has by itself, they would be cut.
-- Columns of partitions stand last. Folders of days are found by sync_partition_metadata, and again after more came.
-- It follows https://trino.io/docs/current/connector/hive.html; it was not run here.
CREATE TABLE IF NOT EXISTS hive.default."ledger" (
  "account_from_id" VARBINARY,
  "quantity" DECIMAL(38,0),
  "type" VARCHAR,
  "vega_time" TIMESTAMP(6),
  "labels" ARRAY(VARCHAR),
  "date" DATE
) WITH (format = 'PARQUET', external_location = 's3://history/it''s here/table=ledger', partitioned_by = ARRAY['date']);
CALL hive.system.sync_partition_metadata('default', 'ledger', 'FULL');
