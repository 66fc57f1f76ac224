"""Runs SQL in Spark. A line on stdin is a JSON text, a line on stdout its answer.

The argument is the master; the environment names the bucket, and the libraries that read it."""

import json
import os
import sys
import tempfile
import time

from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.master(sys.argv[1])
    .config("spark.ui.enabled", "false")
    .config("spark.sql.warehouse.dir", tempfile.mkdtemp())
    .config("spark.sql.shuffle.partitions", "4")
    .config("spark.hadoop.fs.s3a.endpoint", os.environ["AWS_ENDPOINT_URL"])
    .config("spark.hadoop.fs.s3a.endpoint.region", "us-east-1")
    .config("spark.hadoop.fs.s3a.path.style.access", "true")
    .config("spark.hadoop.fs.s3a.connection.ssl.enabled", "false")
    .config("spark.hadoop.fs.s3a.access.key", os.environ["AWS_ACCESS_KEY_ID"])
    .config("spark.hadoop.fs.s3a.secret.key", os.environ["AWS_SECRET_ACCESS_KEY"])
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")


def text(cell):
    if cell is None or isinstance(cell, str):
        return cell
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def answer(sql):
    started = time.perf_counter()
    found = spark.sql(sql)
    rows = [[text(cell) for cell in row] for row in found.collect()]
    return {"columns": found.columns, "rows": rows, "seconds": time.perf_counter() - started}


print(json.dumps({"version": spark.version}), flush=True)
for line in sys.stdin:
    try:
        print(json.dumps(answer(json.loads(line))), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
spark.stop()
