"""Runs SQL in ClickHouse. A line on stdin is a JSON text, a line on stdout its answer."""

import json
import sys
import time

import chdb
from chdb.session import Session

session = Session()

# How this format writes NULL.
NULL = "ᴺᵁᴸᴸ"


def answer(sql):
    started = time.perf_counter()
    result = str(session.query(sql, "JSONCompactStrings"))
    elapsed = time.perf_counter() - started
    found = json.loads(result) if result else {"meta": [], "data": []}
    rows = [[None if cell == NULL else cell for cell in row] for row in found["data"]]
    return {"columns": [column["name"] for column in found["meta"]], "rows": rows, "seconds": elapsed}


print(json.dumps({"version": str(chdb.query("SELECT version()", "TSVRaw")).strip()}), flush=True)
for line in sys.stdin:
    try:
        print(json.dumps(answer(json.loads(line))), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
