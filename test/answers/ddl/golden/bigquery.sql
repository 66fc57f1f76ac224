-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- BigQuery reads Cloud Storage: the folder must be there, under gs:// (s3:// is for its Omni regions, with a connection).
-- It takes the columns from the files. A decimal gets the first of the types allowed below that can hold it:
-- NUMERIC has 29 digits before the point and 9 after it, BIGNUMERIC 38 and 38. Times are UTC without a zone, so DATETIME:
-- check this before comparing them with a TIMESTAMP. The expected types:
-- account_from_id BYTES
-- quantity BIGNUMERIC
-- type STRING
-- vega_time DATETIME
-- labels ARRAY<STRING>
-- It follows https://cloud.google.com/bigquery/docs/hive-partitioned-queries and
-- https://cloud.google.com/bigquery/docs/loading-data-cloud-storage-parquet; it was not run here.
CREATE EXTERNAL TABLE IF NOT EXISTS `DATASET.ledger`
WITH PARTITION COLUMNS (`date` DATE)
OPTIONS (
  format = 'PARQUET',
  uris = ['gs://history/it\'s here/table=ledger/*'],
  hive_partition_uri_prefix = 'gs://history/it\'s here/table=ledger',
  decimal_target_types = ['NUMERIC', 'BIGNUMERIC', 'STRING']
);
