-- Blocks 1 to 2000 of demo-chain.
-- type: a note; DROP TABLE ledger
-- Put the host of the region or of another store in. Keys are taken from the configuration of the server where none are
-- given behind the address: https://clickhouse.com/docs/engines/table-engines/integrations/s3
-- The day of the folder is a virtual column where use_hive_partitioning is on: date, or _date of older ones. DateTime64 holds
-- 1900 to 2299: a time before (market_data has zero times of the year 1754) is not kept. Types are by
-- https://clickhouse.com/docs/interfaces/formats/Parquet; it was not run here.
CREATE VIEW IF NOT EXISTS `ledger` AS SELECT * FROM s3('https://history.s3.amazonaws.com/it\'s%20here/table=ledger/date=*/*.parquet', 'Parquet', '`account_from_id` Nullable(String), `quantity` Nullable(Decimal(38, 0)), `type` Nullable(String), `vega_time` Nullable(DateTime64(6, \'UTC\')), `labels` Array(Nullable(String))');
