-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- Times are UTC without a zone, TIMESTAMP_NTZ of Spark 3.4 and newer. Hadoop calls a bucket s3a://, EMR s3://.
-- Folders of days become partitions only with REPAIR TABLE: run it again after adding more. It follows
-- https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-create-table-datasource.html and
-- https://spark.apache.org/docs/latest/sql-ref-syntax-ddl-repair-table.html; it was run with Spark 4.0.1.
CREATE TABLE IF NOT EXISTS `ledger` (
  `account_from_id` BINARY,
  `quantity` DECIMAL(38,0),
  `type` STRING,
  `vega_time` TIMESTAMP_NTZ,
  `labels` ARRAY<STRING>,
  `date` DATE
) USING PARQUET PARTITIONED BY (`date`) LOCATION 's3a://history/it\'s here/table=ledger';
MSCK REPAIR TABLE `ledger`;
