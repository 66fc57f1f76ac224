-- received {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"types":true,"from":"2026-10-02","to":"2026-10-04 12:00"}
SET spark.sql.ansi.enabled = true;
WITH parties(party) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c')),
assets(asset) AS (VALUES
  ('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
markets_of(market, asset) AS (VALUES
  ('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
amms(party, market, asset, amm) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c', 'e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718', '2f8de791b50f48dc366e7532f801c2850559958c6cac925aea1afa9bb333e23e')),
of_asset(kind) AS (VALUES
  ('GENERAL'),
  ('HOLDING'),
  ('VESTING_REWARDS'),
  ('VESTED_REWARDS'),
  ('LOCKED_FOR_STAKING')),
of_market(kind) AS (VALUES
  ('MARGIN'),
  ('BOND'),
  ('LP_LIQUIDITY_FEES'),
  ('ORDER_MARGIN')),
of_amm(kind) AS (VALUES
  ('GENERAL'),
  ('MARGIN'),
  ('LP_LIQUIDITY_FEES')),
owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha2(asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind, 256)) AS id, party, asset, market, kind
  FROM owners
),
halves AS (
  SELECT DISTINCT `transfer_id` AS transfer_id, ledger.`type` AS type FROM `ledger`
  WHERE ledger.`type` IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE') AND octet_length(`transfer_id`) > 0
),
own_transfers AS (
  -- a transfer of a party to itself
  SELECT `transfer_id` AS transfer_id, party FROM `ledger` JOIN accounts ON accounts.id = `account_from_id`
  WHERE ledger.`type` = 'TRANSFER_TYPE_TRANSFER_FUNDS_SEND' AND octet_length(`transfer_id`) > 0
  INTERSECT DISTINCT
  SELECT `transfer_id` AS transfer_id, party FROM `ledger` JOIN accounts ON accounts.id = `account_to_id`
  WHERE ledger.`type` = 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE' AND octet_length(`transfer_id`) > 0
),
moves AS (
  SELECT party, asset, `vega_time` AS block_time, ledger.`type` AS type, `transfer_id` AS transfer_id, kind AS own_kind, `account_from_id` AS other_id, CAST(`quantity` AS DECIMAL(38,0)) AS came, CAST(NULL AS DECIMAL(38,0)) AS went
  FROM `ledger` JOIN accounts ON accounts.id = `account_to_id`
WHERE `date` >= DATE '2026-10-02'
  AND `vega_time` >= TIMESTAMP_NTZ '2026-10-02 00:00:00.000000'
  AND `date` <= DATE '2026-10-04'
  AND `vega_time` < TIMESTAMP_NTZ '2026-10-04 12:01:00.000000'
  UNION ALL
  SELECT party, asset, `vega_time` AS block_time, ledger.`type` AS type, `transfer_id` AS transfer_id, kind AS own_kind, `account_to_id` AS other_id, CAST(NULL AS DECIMAL(38,0)) AS came, CAST(`quantity` AS DECIMAL(38,0)) AS went
  FROM `ledger` JOIN accounts ON accounts.id = `account_from_id`
WHERE `date` >= DATE '2026-10-02'
  AND `vega_time` >= TIMESTAMP_NTZ '2026-10-02 00:00:00.000000'
  AND `date` <= DATE '2026-10-04'
  AND `vega_time` < TIMESTAMP_NTZ '2026-10-04 12:01:00.000000'
),
judged AS (
  SELECT moves.party AS party, moves.asset AS asset, moves.block_time AS block_time, moves.type AS type,
    moves.transfer_id AS transfer_id, moves.own_kind AS own_kind, moves.came AS came, moves.went AS went,
    other.kind AS other_kind, half.transfer_id IS NOT NULL AS is_whole, CASE
    -- fees first go to a fee account: they are received when they move on to another account of the party
    WHEN own_kind NOT IN ('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES') AND other.kind IN ('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES') THEN 'income'
    WHEN other.id IS NOT NULL OR own.transfer_id IS NOT NULL THEN 'own'
    WHEN own_kind IN ('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES') THEN CASE WHEN went IS NULL THEN 'allocated' ELSE 'withheld' END
    WHEN moves.type = 'TRANSFER_TYPE_CHECKPOINT_BALANCE_RESTORE' THEN 'restored'
    WHEN moves.type = 'TRANSFER_TYPE_DEPOSIT' THEN 'deposited'
    WHEN moves.type = 'TRANSFER_TYPE_WITHDRAW' THEN 'withdrawn'
    WHEN moves.type IN ('TRANSFER_TYPE_MARGIN_LOW', 'TRANSFER_TYPE_MARGIN_HIGH', 'TRANSFER_TYPE_ORDER_MARGIN_LOW', 'TRANSFER_TYPE_ORDER_MARGIN_HIGH', 'TRANSFER_TYPE_ISOLATED_MARGIN_LOW', 'TRANSFER_TYPE_ISOLATED_MARGIN_HIGH', 'TRANSFER_TYPE_BOND_LOW', 'TRANSFER_TYPE_BOND_HIGH', 'TRANSFER_TYPE_HOLDING_LOCK', 'TRANSFER_TYPE_HOLDING_RELEASE', 'TRANSFER_TYPE_REWARDS_VESTED', 'TRANSFER_TYPE_CLEAR_ACCOUNT', 'TRANSFER_TYPE_AMM_LOW', 'TRANSFER_TYPE_AMM_HIGH', 'TRANSFER_TYPE_AMM_RELEASE') THEN 'unclear'
    ELSE 'income' END AS part
  FROM moves
  LEFT JOIN accounts AS other ON other.id = moves.other_id AND other.party = moves.party
  LEFT JOIN own_transfers AS own ON own.transfer_id = moves.transfer_id AND own.party = moves.party AND moves.type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')
  LEFT JOIN halves AS half ON half.transfer_id = moves.transfer_id AND half.type <> moves.type AND moves.type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')
)
SELECT party, asset, substr(CAST(block_time AS STRING), 1, 7) AS period, type AS reason,
  coalesce(sum(came) FILTER (WHERE part = 'income'), CAST(0 AS DECIMAL(38,0))) AS received,
  coalesce(sum(went) FILTER (WHERE part = 'income'), CAST(0 AS DECIMAL(38,0))) AS sent,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'deposited'), CAST(0 AS DECIMAL(38,0))) AS deposited,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'withdrawn'), CAST(0 AS DECIMAL(38,0))) AS withdrawn,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'restored'), CAST(0 AS DECIMAL(38,0))) AS restored,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'allocated'), CAST(0 AS DECIMAL(38,0))) AS allocated,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'withheld'), CAST(0 AS DECIMAL(38,0))) AS withheld,
  coalesce(sum(came) FILTER (WHERE part = 'income' AND type = 'TRANSFER_TYPE_SLA_PERFORMANCE_BONUS_DISTRIBUTE'), CAST(0 AS DECIMAL(38,0))) AS bonus,
  coalesce(sum(came) FILTER (WHERE part = 'unclear'), CAST(0 AS DECIMAL(38,0))) AS unclear_received,
  coalesce(sum(went) FILTER (WHERE part = 'unclear'), CAST(0 AS DECIMAL(38,0))) AS unclear_sent,
  count(*) FILTER (WHERE part = 'income') AS moves,
  count(*) FILTER (WHERE part = 'unclear') AS unclear,
  count(*) FILTER (WHERE type IS NULL) AS unsaid,
  count(*) FILTER (WHERE coalesce(octet_length(transfer_id), 0) = 0 AND type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')) AS unpaired,
  count(*) FILTER (WHERE octet_length(transfer_id) > 0 AND NOT is_whole AND type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')) AS halved
FROM judged
WHERE part <> 'own'
GROUP BY 1, 2, 3, 4
ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3 NULLS LAST, 4 NULLS LAST;

-- received {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"asset":"USDT","by":"day"}
SET spark.sql.ansi.enabled = true;
WITH parties(party) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c')),
assets(asset) AS (VALUES
  ('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
markets_of(market, asset) AS (VALUES
  ('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
amms(party, market, asset, amm) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c', 'e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718', '2f8de791b50f48dc366e7532f801c2850559958c6cac925aea1afa9bb333e23e')),
of_asset(kind) AS (VALUES
  ('GENERAL'),
  ('HOLDING'),
  ('VESTING_REWARDS'),
  ('VESTED_REWARDS'),
  ('LOCKED_FOR_STAKING')),
of_market(kind) AS (VALUES
  ('MARGIN'),
  ('BOND'),
  ('LP_LIQUIDITY_FEES'),
  ('ORDER_MARGIN')),
of_amm(kind) AS (VALUES
  ('GENERAL'),
  ('MARGIN'),
  ('LP_LIQUIDITY_FEES')),
owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha2(asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind, 256)) AS id, party, asset, market, kind
  FROM owners
),
halves AS (
  SELECT DISTINCT `transfer_id` AS transfer_id, ledger.`type` AS type FROM `ledger`
  WHERE ledger.`type` IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE') AND octet_length(`transfer_id`) > 0
),
own_transfers AS (
  -- a transfer of a party to itself
  SELECT `transfer_id` AS transfer_id, party FROM `ledger` JOIN accounts ON accounts.id = `account_from_id`
  WHERE ledger.`type` = 'TRANSFER_TYPE_TRANSFER_FUNDS_SEND' AND octet_length(`transfer_id`) > 0
  INTERSECT DISTINCT
  SELECT `transfer_id` AS transfer_id, party FROM `ledger` JOIN accounts ON accounts.id = `account_to_id`
  WHERE ledger.`type` = 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE' AND octet_length(`transfer_id`) > 0
),
moves AS (
  SELECT party, asset, `vega_time` AS block_time, ledger.`type` AS type, `transfer_id` AS transfer_id, kind AS own_kind, `account_from_id` AS other_id, CAST(`quantity` AS DECIMAL(38,0)) AS came, CAST(NULL AS DECIMAL(38,0)) AS went
  FROM `ledger` JOIN accounts ON accounts.id = `account_to_id`
  UNION ALL
  SELECT party, asset, `vega_time` AS block_time, ledger.`type` AS type, `transfer_id` AS transfer_id, kind AS own_kind, `account_to_id` AS other_id, CAST(NULL AS DECIMAL(38,0)) AS came, CAST(`quantity` AS DECIMAL(38,0)) AS went
  FROM `ledger` JOIN accounts ON accounts.id = `account_from_id`
),
judged AS (
  SELECT moves.party AS party, moves.asset AS asset, moves.block_time AS block_time, moves.type AS type,
    moves.transfer_id AS transfer_id, moves.own_kind AS own_kind, moves.came AS came, moves.went AS went,
    other.kind AS other_kind, half.transfer_id IS NOT NULL AS is_whole, CASE
    -- fees first go to a fee account: they are received when they move on to another account of the party
    WHEN own_kind NOT IN ('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES') AND other.kind IN ('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES') THEN 'income'
    WHEN other.id IS NOT NULL OR own.transfer_id IS NOT NULL THEN 'own'
    WHEN own_kind IN ('LP_LIQUIDITY_FEES', 'AMM_LP_LIQUIDITY_FEES') THEN CASE WHEN went IS NULL THEN 'allocated' ELSE 'withheld' END
    WHEN moves.type = 'TRANSFER_TYPE_CHECKPOINT_BALANCE_RESTORE' THEN 'restored'
    WHEN moves.type = 'TRANSFER_TYPE_DEPOSIT' THEN 'deposited'
    WHEN moves.type = 'TRANSFER_TYPE_WITHDRAW' THEN 'withdrawn'
    WHEN moves.type IN ('TRANSFER_TYPE_MARGIN_LOW', 'TRANSFER_TYPE_MARGIN_HIGH', 'TRANSFER_TYPE_ORDER_MARGIN_LOW', 'TRANSFER_TYPE_ORDER_MARGIN_HIGH', 'TRANSFER_TYPE_ISOLATED_MARGIN_LOW', 'TRANSFER_TYPE_ISOLATED_MARGIN_HIGH', 'TRANSFER_TYPE_BOND_LOW', 'TRANSFER_TYPE_BOND_HIGH', 'TRANSFER_TYPE_HOLDING_LOCK', 'TRANSFER_TYPE_HOLDING_RELEASE', 'TRANSFER_TYPE_REWARDS_VESTED', 'TRANSFER_TYPE_CLEAR_ACCOUNT', 'TRANSFER_TYPE_AMM_LOW', 'TRANSFER_TYPE_AMM_HIGH', 'TRANSFER_TYPE_AMM_RELEASE') THEN 'unclear'
    ELSE 'income' END AS part
  FROM moves
  LEFT JOIN accounts AS other ON other.id = moves.other_id AND other.party = moves.party
  LEFT JOIN own_transfers AS own ON own.transfer_id = moves.transfer_id AND own.party = moves.party AND moves.type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')
  LEFT JOIN halves AS half ON half.transfer_id = moves.transfer_id AND half.type <> moves.type AND moves.type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')
)
SELECT party, asset, substr(CAST(block_time AS STRING), 1, 10) AS period,
  coalesce(sum(came) FILTER (WHERE part = 'income'), CAST(0 AS DECIMAL(38,0))) AS received,
  coalesce(sum(went) FILTER (WHERE part = 'income'), CAST(0 AS DECIMAL(38,0))) AS sent,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'deposited'), CAST(0 AS DECIMAL(38,0))) AS deposited,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'withdrawn'), CAST(0 AS DECIMAL(38,0))) AS withdrawn,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'restored'), CAST(0 AS DECIMAL(38,0))) AS restored,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'allocated'), CAST(0 AS DECIMAL(38,0))) AS allocated,
  coalesce(sum(coalesce(came, went)) FILTER (WHERE part = 'withheld'), CAST(0 AS DECIMAL(38,0))) AS withheld,
  coalesce(sum(came) FILTER (WHERE part = 'income' AND type = 'TRANSFER_TYPE_SLA_PERFORMANCE_BONUS_DISTRIBUTE'), CAST(0 AS DECIMAL(38,0))) AS bonus,
  coalesce(sum(came) FILTER (WHERE part = 'unclear'), CAST(0 AS DECIMAL(38,0))) AS unclear_received,
  coalesce(sum(went) FILTER (WHERE part = 'unclear'), CAST(0 AS DECIMAL(38,0))) AS unclear_sent,
  count(*) FILTER (WHERE part = 'income') AS moves,
  count(*) FILTER (WHERE part = 'unclear') AS unclear,
  count(*) FILTER (WHERE type IS NULL) AS unsaid,
  count(*) FILTER (WHERE coalesce(octet_length(transfer_id), 0) = 0 AND type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')) AS unpaired,
  count(*) FILTER (WHERE octet_length(transfer_id) > 0 AND NOT is_whole AND type IN ('TRANSFER_TYPE_TRANSFER_FUNDS_SEND', 'TRANSFER_TYPE_TRANSFER_FUNDS_DISTRIBUTE')) AS halved
FROM judged
WHERE part <> 'own'
  AND asset = 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718'
GROUP BY 1, 2, 3
ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3 NULLS LAST;

-- balance {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"to":"2026-10-01"}
SET spark.sql.ansi.enabled = true;
WITH parties(party) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c')),
assets(asset) AS (VALUES
  ('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
markets_of(market, asset) AS (VALUES
  ('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
amms(party, market, asset, amm) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c', 'e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718', '2f8de791b50f48dc366e7532f801c2850559958c6cac925aea1afa9bb333e23e')),
of_asset(kind) AS (VALUES
  ('GENERAL'),
  ('HOLDING'),
  ('VESTING_REWARDS'),
  ('VESTED_REWARDS'),
  ('LOCKED_FOR_STAKING')),
of_market(kind) AS (VALUES
  ('MARGIN'),
  ('BOND'),
  ('LP_LIQUIDITY_FEES'),
  ('ORDER_MARGIN')),
of_amm(kind) AS (VALUES
  ('GENERAL'),
  ('MARGIN'),
  ('LP_LIQUIDITY_FEES')),
owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha2(asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind, 256)) AS id, party, asset, market, kind
  FROM owners
),
states AS (
  SELECT party, asset, kind, market, `vega_time` AS block_time, `vega_time` AS entry_time,
    CAST(CAST(`balance` AS DECIMAL(38,0)) AS STRING) AS amount
  FROM `balances` JOIN accounts ON accounts.id = `account_id`
WHERE `date` < DATE '2026-10-02'
  AND `vega_time` < TIMESTAMP_NTZ '2026-10-02 00:00:00.000000'
)
SELECT party, asset, kind, market, substr(CAST(block_time AS STRING), 1, 10) AS period,
  max_by(amount, entry_time) AS balance, substr(CAST(max(block_time) AS STRING), 1, 19) AS since
FROM states
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5;

-- balance {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"at":"2026-10-01"}
SET spark.sql.ansi.enabled = true;
WITH parties(party) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c')),
assets(asset) AS (VALUES
  ('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
markets_of(market, asset) AS (VALUES
  ('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
amms(party, market, asset, amm) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c', 'e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718', '2f8de791b50f48dc366e7532f801c2850559958c6cac925aea1afa9bb333e23e')),
of_asset(kind) AS (VALUES
  ('GENERAL'),
  ('HOLDING'),
  ('VESTING_REWARDS'),
  ('VESTED_REWARDS'),
  ('LOCKED_FOR_STAKING')),
of_market(kind) AS (VALUES
  ('MARGIN'),
  ('BOND'),
  ('LP_LIQUIDITY_FEES'),
  ('ORDER_MARGIN')),
of_amm(kind) AS (VALUES
  ('GENERAL'),
  ('MARGIN'),
  ('LP_LIQUIDITY_FEES')),
owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha2(asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind, 256)) AS id, party, asset, market, kind
  FROM owners
),
states AS (
  SELECT party, asset, kind, market, `vega_time` AS block_time, `vega_time` AS entry_time,
    CAST(CAST(`balance` AS DECIMAL(38,0)) AS STRING) AS amount
  FROM `balances` JOIN accounts ON accounts.id = `account_id`
WHERE `date` < DATE '2026-10-02'
  AND `vega_time` < TIMESTAMP_NTZ '2026-10-02 00:00:00.000000'
)
SELECT party, asset, kind, market,
  max_by(amount, entry_time) AS balance, substr(CAST(max(block_time) AS STRING), 1, 19) AS since
FROM states
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4;

-- balance {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"at":"2026-10-02"}
SET spark.sql.ansi.enabled = true;
WITH parties(party) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c')),
assets(asset) AS (VALUES
  ('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
markets_of(market, asset) AS (VALUES
  ('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
amms(party, market, asset, amm) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c', 'e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718', '2f8de791b50f48dc366e7532f801c2850559958c6cac925aea1afa9bb333e23e')),
of_asset(kind) AS (VALUES
  ('GENERAL'),
  ('HOLDING'),
  ('VESTING_REWARDS'),
  ('VESTED_REWARDS'),
  ('LOCKED_FOR_STAKING')),
of_market(kind) AS (VALUES
  ('MARGIN'),
  ('BOND'),
  ('LP_LIQUIDITY_FEES'),
  ('ORDER_MARGIN')),
of_amm(kind) AS (VALUES
  ('GENERAL'),
  ('MARGIN'),
  ('LP_LIQUIDITY_FEES')),
owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha2(asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind, 256)) AS id, party, asset, market, kind
  FROM owners
),
states AS (
  SELECT party, asset, kind, market, `vega_time` AS block_time, `ledger_entry_time` AS entry_time,
    CAST(CAST(`account_from_balance` AS DECIMAL(38,0)) AS STRING) AS amount, CAST((CAST(`account_from_balance` AS DECIMAL(38,0))) + (CAST(`quantity` AS DECIMAL(38,0))) AS STRING) AS amount_before
  FROM `ledger` JOIN accounts ON accounts.id = `account_from_id`
  UNION ALL
  SELECT party, asset, kind, market, `vega_time` AS block_time, `ledger_entry_time` AS entry_time,
    CAST(CAST(`account_to_balance` AS DECIMAL(38,0)) AS STRING) AS amount, CAST((CAST(`account_to_balance` AS DECIMAL(38,0))) - (CAST(`quantity` AS DECIMAL(38,0))) AS STRING) AS amount_before
  FROM `ledger` JOIN accounts ON accounts.id = `account_to_id`
)
SELECT party, asset, kind, market,
  coalesce(max_by(amount, entry_time) FILTER (WHERE block_time < TIMESTAMP_NTZ '2026-10-03 00:00:00.000000'), min_by(amount_before, entry_time)) AS balance,
  substr(CAST(max(block_time) FILTER (WHERE block_time < TIMESTAMP_NTZ '2026-10-03 00:00:00.000000') AS STRING), 1, 19) AS since
FROM states
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4;

-- balance {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"by":"month"}
SET spark.sql.ansi.enabled = true;
WITH parties(party) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c')),
assets(asset) AS (VALUES
  ('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
markets_of(market, asset) AS (VALUES
  ('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718')),
amms(party, market, asset, amm) AS (VALUES
  ('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c', 'e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8', 'd59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718', '2f8de791b50f48dc366e7532f801c2850559958c6cac925aea1afa9bb333e23e')),
of_asset(kind) AS (VALUES
  ('GENERAL'),
  ('HOLDING'),
  ('VESTING_REWARDS'),
  ('VESTED_REWARDS'),
  ('LOCKED_FOR_STAKING')),
of_market(kind) AS (VALUES
  ('MARGIN'),
  ('BOND'),
  ('LP_LIQUIDITY_FEES'),
  ('ORDER_MARGIN')),
of_amm(kind) AS (VALUES
  ('GENERAL'),
  ('MARGIN'),
  ('LP_LIQUIDITY_FEES')),
owners AS (
  SELECT party, party AS holder, asset, '' AS market, '' AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN assets CROSS JOIN of_asset
  UNION ALL
  SELECT party, party AS holder, asset, market, market AS hashed_market, kind, kind AS hashed_kind
  FROM parties CROSS JOIN markets_of CROSS JOIN of_market
  UNION ALL
  SELECT party, amm AS holder, asset, market, CASE kind WHEN 'GENERAL' THEN '' ELSE market END AS hashed_market,
    'AMM_' || kind AS kind, kind AS hashed_kind
  FROM amms CROSS JOIN of_amm
),
accounts AS (
  -- the id of an account is the SHA-256 of asset, party, market and type, one text behind the other
  SELECT unhex(sha2(asset || holder || hashed_market || 'ACCOUNT_TYPE_' || hashed_kind, 256)) AS id, party, asset, market, kind
  FROM owners
),
states AS (
  SELECT party, asset, kind, market, `vega_time` AS block_time, `ledger_entry_time` AS entry_time,
    CAST(CAST(`account_from_balance` AS DECIMAL(38,0)) AS STRING) AS amount, CAST((CAST(`account_from_balance` AS DECIMAL(38,0))) + (CAST(`quantity` AS DECIMAL(38,0))) AS STRING) AS amount_before
  FROM `ledger` JOIN accounts ON accounts.id = `account_from_id`
  UNION ALL
  SELECT party, asset, kind, market, `vega_time` AS block_time, `ledger_entry_time` AS entry_time,
    CAST(CAST(`account_to_balance` AS DECIMAL(38,0)) AS STRING) AS amount, CAST((CAST(`account_to_balance` AS DECIMAL(38,0))) - (CAST(`quantity` AS DECIMAL(38,0))) AS STRING) AS amount_before
  FROM `ledger` JOIN accounts ON accounts.id = `account_to_id`
)
SELECT party, asset, kind, market, substr(CAST(block_time AS STRING), 1, 7) AS period,
  max_by(amount, entry_time) AS balance, substr(CAST(max(block_time) AS STRING), 1, 19) AS since
FROM states
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5;

-- rewards {"types":true,"from":"e20","to":"2026-10-01"}
SET spark.sql.ansi.enabled = true;
SELECT lower(hex(`party_id`)) AS party, lower(hex(`asset_id`)) AS asset, `epoch_id` AS epoch,
  `reward_type` AS reason, lower(hex(`game_id`)) AS game,
  coalesce(sum(CAST(`amount` AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS amount, count(*) AS payouts
FROM `rewards`
WHERE `epoch_id` >= 20
  AND `date` < DATE '2026-10-02'
  AND `vega_time` < TIMESTAMP_NTZ '2026-10-02 00:00:00.000000'
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3 NULLS LAST, 4 NULLS LAST, 5 NULLS LAST;

-- rewards {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c","d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"],"asset":"USDT"}
SET spark.sql.ansi.enabled = true;
SELECT lower(hex(`party_id`)) AS party, lower(hex(`asset_id`)) AS asset, `epoch_id` AS epoch,
  coalesce(sum(CAST(`amount` AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS amount, count(*) AS payouts
FROM `rewards`
WHERE `party_id` IN (unhex('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c'), unhex('d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa'))
  AND `asset_id` IN (unhex('d59386e0ae435e292fbe0ebcdb954b75ed5fb3922091277cb19f798fc5d50718'))
GROUP BY 1, 2, 3
ORDER BY 1 NULLS LAST, 2 NULLS LAST, 3 NULLS LAST;

-- fills {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"market":"BTC","from":"2026-10-01"}
SET spark.sql.ansi.enabled = true;
SELECT * FROM (
  SELECT `synthetic_time` AS fill_time, lower(hex(`buyer`)) AS party, lower(hex(`market_id`)) AS market, 'buy' AS side,
    CAST(CAST(`price` AS DECIMAL(38,0)) AS STRING) AS price, CAST(CAST(`size` AS DECIMAL(38,0)) AS STRING) AS size, CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_liquidity_fee` AS DECIMAL(38,0)) END AS fee,
    CASE WHEN CAST(`type` AS STRING) = '3' THEN 'close-out' WHEN coalesce(`aggressor`, 0) = 0 THEN 'auction' WHEN `aggressor` = 1 THEN 'taker' ELSE 'maker' END AS role,
    CAST(`type` AS STRING) AS kind, lower(hex(`id`)) AS trade
  FROM `trades`
WHERE `buyer` IN (unhex('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c'))
  AND `market_id` IN (unhex('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8'))
  AND `date` >= DATE '2026-10-01'
  AND `vega_time` >= TIMESTAMP_NTZ '2026-10-01 00:00:00.000000'
  UNION ALL
  SELECT `synthetic_time` AS fill_time, lower(hex(`seller`)) AS party, lower(hex(`market_id`)) AS market, 'sell' AS side,
    CAST(CAST(`price` AS DECIMAL(38,0)) AS STRING) AS price, CAST(CAST(`size` AS DECIMAL(38,0)) AS STRING) AS size, CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_liquidity_fee` AS DECIMAL(38,0)) END AS fee,
    CASE WHEN CAST(`type` AS STRING) = '3' THEN 'close-out' WHEN coalesce(`aggressor`, 0) = 0 THEN 'auction' WHEN `aggressor` = 2 THEN 'taker' ELSE 'maker' END AS role,
    CAST(`type` AS STRING) AS kind, lower(hex(`id`)) AS trade
  FROM `trades`
WHERE `seller` IN (unhex('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c'))
  AND `market_id` IN (unhex('e4d693d24e646cb7878426225d90d2607fd40e2e7c82f4cf8246b2cc3e0decb8'))
  AND `date` >= DATE '2026-10-01'
  AND `vega_time` >= TIMESTAMP_NTZ '2026-10-01 00:00:00.000000'
) AS both_sides
ORDER BY fill_time, party, side
LIMIT 200001;

-- fills {"parties":["1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c"],"by":"day"}
SET spark.sql.ansi.enabled = true;
SELECT period, party, market,
  count(*) FILTER (WHERE role = 'maker') AS maker, count(*) FILTER (WHERE role = 'taker') AS taker,
  count(*) FILTER (WHERE role = 'auction') AS auction, count(*) FILTER (WHERE role = 'close-out') AS closeouts,
  coalesce(sum(volume) FILTER (WHERE role <> 'close-out'), CAST(0 AS DECIMAL(38,0))) AS volume,
  coalesce(sum(CAST(`price` AS DECIMAL(38,0)) * CAST(`size` AS DECIMAL(38,0))) FILTER (WHERE role <> 'close-out'), CAST(0 AS DECIMAL(38,0))) AS turnover,
  coalesce(sum(volume) FILTER (WHERE role = 'close-out'), CAST(0 AS DECIMAL(38,0))) AS closed_out,
  coalesce(sum(fee), CAST(0 AS DECIMAL(38,0))) AS paid,
  coalesce(sum(maker_fee_of_the_other) FILTER (WHERE role = 'maker'), CAST(0 AS DECIMAL(38,0))) AS received
FROM (
  SELECT substr(CAST(`vega_time` AS STRING), 1, 10) AS period, lower(hex(`buyer`)) AS party,
    lower(hex(`market_id`)) AS market, `price`, `size`, CAST(`size` AS DECIMAL(38,0)) AS volume,
    CASE WHEN CAST(`type` AS STRING) = '3' THEN 'close-out' WHEN coalesce(`aggressor`, 0) = 0 THEN 'auction' WHEN `aggressor` = 1 THEN 'taker' ELSE 'maker' END AS role, CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_liquidity_fee` AS DECIMAL(38,0)) END AS fee,
    CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END AS maker_fee_of_the_other
  FROM `trades`
WHERE `buyer` IN (unhex('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c'))
  UNION ALL
  SELECT substr(CAST(`vega_time` AS STRING), 1, 10) AS period, lower(hex(`seller`)) AS party,
    lower(hex(`market_id`)) AS market, `price`, `size`, CAST(`size` AS DECIMAL(38,0)) AS volume,
    CASE WHEN CAST(`type` AS STRING) = '3' THEN 'close-out' WHEN coalesce(`aggressor`, 0) = 0 THEN 'auction' WHEN `aggressor` = 2 THEN 'taker' ELSE 'maker' END AS role, CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_liquidity_fee` AS DECIMAL(38,0)) END AS fee,
    CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END AS maker_fee_of_the_other
  FROM `trades`
WHERE `seller` IN (unhex('1d0fea39ec33ff7543f345be85d1ccd34d6d864297d4151b737802cb294a338c'))
) AS both_sides
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3;

-- trades {"from":"2026-10-01","to":"2026-10-01"}
SET spark.sql.ansi.enabled = true;
SELECT lower(hex(`market_id`)) AS market, substr(CAST(`vega_time` AS STRING), 1, 10) AS period, count(*) AS trades,
  coalesce(sum(CAST(`size` AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS volume,
  coalesce(sum(CAST(`price` AS DECIMAL(38,0)) * CAST(`size` AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS turnover,
  min_by(CAST(CAST(`price` AS DECIMAL(38,0)) AS STRING), `synthetic_time`) AS first_price, max_by(CAST(CAST(`price` AS DECIMAL(38,0)) AS STRING), `synthetic_time`) AS last_price,
  coalesce(sum(CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS maker_fees,
  coalesce(sum(CASE WHEN `buyer_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_infrastructure_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS infrastructure_fees,
  coalesce(sum(CASE WHEN `buyer_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_liquidity_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_liquidity_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS liquidity_fees,
  coalesce(sum(CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_liquidity_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_liquidity_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS fees,
  count(*) FILTER (WHERE CAST(`type` AS STRING) <> '1') AS closeouts
FROM `trades`
WHERE `date` >= DATE '2026-10-01'
  AND `vega_time` >= TIMESTAMP_NTZ '2026-10-01 00:00:00.000000'
  AND `date` < DATE '2026-10-02'
  AND `vega_time` < TIMESTAMP_NTZ '2026-10-02 00:00:00.000000'
GROUP BY 1, 2
ORDER BY 1, 2;

-- trades {"by":"month"}
SET spark.sql.ansi.enabled = true;
SELECT lower(hex(`market_id`)) AS market, substr(CAST(`vega_time` AS STRING), 1, 7) AS period, count(*) AS trades,
  coalesce(sum(CAST(`size` AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS volume,
  coalesce(sum(CAST(`price` AS DECIMAL(38,0)) * CAST(`size` AS DECIMAL(38,0))), CAST(0 AS DECIMAL(38,0))) AS turnover,
  min_by(CAST(CAST(`price` AS DECIMAL(38,0)) AS STRING), `synthetic_time`) AS first_price, max_by(CAST(CAST(`price` AS DECIMAL(38,0)) AS STRING), `synthetic_time`) AS last_price,
  coalesce(sum(CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS maker_fees,
  coalesce(sum(CASE WHEN `buyer_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_infrastructure_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS infrastructure_fees,
  coalesce(sum(CASE WHEN `buyer_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_liquidity_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_liquidity_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS liquidity_fees,
  coalesce(sum(CASE WHEN `buyer_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `buyer_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`buyer_liquidity_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_maker_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_maker_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_infrastructure_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_infrastructure_fee` AS DECIMAL(38,0)) END + CASE WHEN `seller_liquidity_fee` IS NULL THEN CAST(0 AS DECIMAL(38,0)) ELSE CAST(`seller_liquidity_fee` AS DECIMAL(38,0)) END), CAST(0 AS DECIMAL(38,0))) AS fees,
  count(*) FILTER (WHERE CAST(`type` AS STRING) <> '1') AS closeouts
FROM `trades`
GROUP BY 1, 2
ORDER BY 1, 2;
