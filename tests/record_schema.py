"""The JSON schema of a record, docs/record.schema.json: `python -m tests.record_schema` writes it."""

import json
from pathlib import Path

from engine.records.model import schema

PATH = Path(__file__).resolve().parent.parent / "docs" / "record.schema.json"


def written() -> str:
    """What the file says today."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    PATH.write_text(written())
