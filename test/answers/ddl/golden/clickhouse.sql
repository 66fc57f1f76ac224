-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- Replace the host with that of your region or store. Without keys after the address, the server uses those in its
-- configuration: https://clickhouse.com/docs/engines/table-engines/integrations/s3
-- date is the day of the folder: with a condition on it only the files of those days are read. DateTime64 holds 1900
-- to 2299: an earlier time (market_data has zero times of the year 1754) is not preserved. Types follow
-- https://clickhouse.com/docs/interfaces/formats/Parquet; it was run with ClickHouse 26.9.
CREATE VIEW IF NOT EXISTS `ledger` AS SELECT
  `account_from_id`,
  `quantity`,
  `type`,
  `vega_time`,
  `labels`,
  toDate32(`date`) AS `date`
FROM s3('https://history.s3.amazonaws.com/it\'s%20here/table=ledger/date=*/*.parquet', 'Parquet', '`account_from_id` Nullable(String), `quantity` Nullable(Decimal(38, 0)), `type` Nullable(String), `vega_time` Nullable(DateTime64(6, \'UTC\')), `labels` Array(Nullable(String))')
SETTINGS use_hive_partitioning = 1;
